import LinuxKernel
import Synchronization

extension RunLoop.IdleQueue {
  /// One turn, in the observer's callout.
  func takeTurn(_ asked: Asked) {
    guard let loop, let run = loop.innermost else { return }
    doWork {
      tellEndings(asked)
      let turn = IdleTurn(of: self, on: loop, run, asked)
      guard turn.hasRoom else { return rest(in: run.view.mode, of: loop, at: turn.begin) }
      if work(turn, on: loop, asked) { restingSince = 0 }
      let limit = asynchronousAtOnce
      // What is left of the frame is too little for another: known before the loop comes round again.
      if turn.isFramed, tasks.withLock({ $0.hasStartable(asynchronousAtOnce: limit) }),
        !turn.fitsFrame(at: loop.poller.now(), usualLength)
      {
        rest(in: run.view.mode, of: loop, at: loop.poller.now())
      }
    }
  }

  /// Does tasks until the turn is over; says whether there was one.
  private func work(_ turn: IdleTurn, on loop: RunLoop, _ asked: Asked) -> Bool {
    let limit = asynchronousAtOnce
    var (now, count) = (turn.begin, 0)
    while count < turn.tasks, count == 0 || turn.hasRoom(at: now, usualLength),
      !isInterrupted(on: loop, after: count),
      let (task, place) = tasks.withLock({ $0.begin(asynchronousAtOnce: limit) })
    {
      count += 1
      call(task, place, turn, on: loop)
      tellEndings(asked)
      let end = loop.poller.now()
      usualLength = max(end - min(end, now), usualLength - usualLength / 8)
      now = end
    }
    return count > 0
  }

  /// Whether something has come that is not to wait for the queue, or there is nobody left to work for.
  private func isInterrupted(on loop: RunLoop, after count: Int) -> Bool {
    if !isValid || loop.isInherited { return true }
    return count > 0 && (!loop.inbox.seemsEmpty || loop.isWakeRequested || loop.stops.isStopped)
  }

  private func call(_ task: IdleTask, _ place: IdleTasks.Place, _ turn: IdleTurn, on loop: RunLoop) {
    loop.showObserver(.beforeWaiting, task.site)
    do {
      switch task.body {
      case .once(let body): try body()
      case .steps(let body):
        let progress = try body(Slice(until: turn.end, on: loop))
        if progress == .unfinished { return putBack(place) }
      case .asynchronous(let body): return begin(body, place)
      }
      end(place, .finished)
    } catch {
      end(place, .failed(error))
    }
  }

  private func begin(_ body: @escaping @Sendable () async throws -> Void, _ place: IdleTasks.Place) {
    let running = Task(priority: .utility) {
      do {
        try await body()
        self.end(place, .finished)
      } catch {
        self.end(place, .failed(error))
      }
      self.workChanged()
    }
    if tasks.withLock({ $0.note(running, at: place) }) { running.cancel() }
  }

  private func putBack(_ place: IdleTasks.Place) {
    _ = remove {
      $0.putBack(place, removed: &$1)
      return false
    }
  }

  private func end(_ place: IdleTasks.Place, _ ending: Ending) {
    _ = remove {
      $0.end(place, ending, removed: &$1)
      return false
    }
  }

  private func tellEndings(_ asked: Asked) {
    guard tasks.withLock({ $0.hasEndings }) else { return }
    for ended in tasks.withLock({ $0.takeEndings() }) {
      if case .failed(let error) = ended.ending { asked.onError?(self, error, ended.task.key) }
      ended.task.onEnd?(ended.ending)
    }
  }

  /// The frame leaves no time. The loop may sleep, but not for long.
  private func rest(in mode: RunLoop.Mode, of loop: RunLoop, at now: UInt64) {
    if restingSince == 0 { restingSince = max(now, 1) }
    // A shorter one may be next: what is left is not measured by the longest for ever.
    usualLength -= usualLength / 8
    let date = RunLoop.Instant(nanoseconds: now &+ Limit.restOfIdleWork)
    if let alarm, alarm.isValid, loop.contains(alarm, in: mode) {
      if alarm.fireDate == nil { alarm.setFireDate(date) }
      return
    }
    alarm?.invalidate()
    // It has nothing to do: a pass that sleeps no longer is enough.
    let alarm = RunLoop.Timer(
      RunLoop.Timer.Schedule(date: .max, tolerance: .zero, isRearmable: true), site: site
    ) { _ in }
    alarm.setFireDate(date)
    self.alarm = alarm
    loop.add(alarm, to: mode)
  }
}

/// What one turn of an idle queue may take.
struct IdleTurn {
  let begin: UInt64
  /// When it is over, for those that ask.
  let end: UInt64
  let tasks: Int
  /// Until when the frame leaves time, if it has to fit into one.
  private let frameEnd: UInt64?
  /// Whether anything may be begun at all.
  let hasRoom: Bool

  init(of queue: RunLoop.IdleQueue, on loop: RunLoop, _ run: Run, _ asked: RunLoop.IdleQueue.Asked) {
    let isTracking = run.view.mode == .tracking
    let budget = isTracking ? queue.trackingBudget : queue.budget
    let frameTimeLeft = isTracking ? asked.frameTimeLeft?() : nil
    let begin = loop.poller.now()
    let frameEnd = frameTimeLeft.map { RunLoop.Instant(nanoseconds: begin).advanced(by: $0).nanoseconds }
    let time = UInt64(clamping: budget.time.saturatingNanoseconds)
    // Timers and the run's limit do not wait for idle work, but for the one task that each turn has.
    let others = min(run.view.nextTimerWake(), run.deadline)
    var end = min(begin.addingReportingOverflow(time).overflow ? .max : begin + time, others)
    var (hasRoom, tasks) = (true, budget.tasks)
    if let frameEnd {
      end = min(end, frameEnd)
      if !Self.fits(frameEnd, at: begin, queue.usualLength) {
        hasRoom =
          queue.restingSince != 0 && begin - min(begin, queue.restingSince) >= Limit.longestRestOfIdleWork
        tasks = 1
      }
    }
    (self.begin, self.end, self.tasks) = (begin, end, tasks)
    (self.frameEnd, self.hasRoom) = (frameEnd, hasRoom)
  }

  var isFramed: Bool { frameEnd != nil }

  /// Whether another task may be begun.
  func hasRoom(at now: UInt64, _ usualLength: UInt64) -> Bool { now < end && fitsFrame(at: now, usualLength) }

  /// Whether the frame leaves time for another.
  func fitsFrame(at now: UInt64, _ usualLength: UInt64) -> Bool {
    frameEnd.map { Self.fits($0, at: now, usualLength) } ?? true
  }

  private static func fits(_ frameEnd: UInt64, at now: UInt64, _ usualLength: UInt64) -> Bool {
    now < frameEnd && frameEnd - now > usualLength
  }
}
