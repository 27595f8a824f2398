import Glibc
import Mainspring

/// What makes work for a loop, on its own thread or on another.
enum HostedWork: String, CaseIterable, Sendable {
  case job, jobFromElsewhere, block, blockFromElsewhere, blockOfSeveralModes, keyedBlock, signal,
    signalAndWake, wake,
    wakeFromElsewhere
  case message, messageFromElsewhere, timer, timerFromElsewhere, movedTimer, timerOfLessTolerance, bootTimer
  case wallTimer, descriptor, descriptorFromElsewhere, interest, alwaysReady, idleTask, mark,
    markFromElsewhere

  /// Prepares it; what is given back begins it. `note` is called by the loop on account of it, once.
  func prepare(
    on loop: RunLoop, _ note: @escaping @Sendable () -> Void
  ) throws -> () -> Void {
    switch self {
    case .job: return { loop.task { note() } }
    case .jobFromElsewhere: return { elsewhere { loop.task { note() } } }
    case .block: return { loop.perform(in: .default, note) }
    case .blockFromElsewhere: return { elsewhere { loop.perform(in: .common, note) } }
    case .blockOfSeveralModes: return { loop.perform(in: [.tracking, .default], note) }
    case .keyedBlock: return { loop.perform(in: [.default], key: "key", note) }
    case .signal, .signalAndWake: return prepareSource(on: loop, note)
    case .wake, .wakeFromElsewhere:
      let observer = RunLoop.Observer(.beforeSources, repeats: false) { _, _ in note() }
      return {
        loop.add(observer, to: .default)
        if self == .wake { loop.wakeUp() } else { elsewhere { loop.wakeUp() } }
      }
    case .message, .messageFromElsewhere: return preparePort(on: loop, note)
    case .timer, .timerFromElsewhere, .movedTimer, .timerOfLessTolerance, .bootTimer, .wallTimer:
      return prepareTimer(on: loop, note)
    case .descriptor, .descriptorFromElsewhere, .interest, .alwaysReady:
      return try prepareDescriptor(on: loop, note)
    case .idleTask:
      let queue = RunLoop.IdleQueue()
      loop.add(queue, to: .default)
      return { queue.add { note() } }
    case .mark, .markFromElsewhere:
      let batch = RunLoop.Batch<Int> { _, _ in note() }
      loop.add(batch, to: .default)
      return { if self == .mark { batch.mark(1) } else { elsewhere { batch.mark(1) } } }
    }
  }

  private func elsewhere(_ body: @escaping @Sendable () -> Void) { TestThread(body).join() }

  private func prepareSource(on loop: RunLoop, _ note: @escaping @Sendable () -> Void) -> () -> Void {
    let source = RunLoop.Source { _ in note() }
    loop.add(source, to: .default)
    if self == .signal { return { source.signal() } }
    return {
      elsewhere {
        source.signal()
        loop.wakeUp()
      }
    }
  }

  private func preparePort(on loop: RunLoop, _ note: @escaping @Sendable () -> Void) -> () -> Void {
    let port = RunLoop.Port<Int> { _, _ in note() }
    loop.add(port, to: .default)
    return { if self == .message { port.send(1) } else { elsewhere { port.send(1) } } }
  }

  private func prepareTimer(on loop: RunLoop, _ note: @escaping @Sendable () -> Void) -> () -> Void {
    let far = RunLoop.Timer(after: .seconds(3600)) { _ in note() }
    let tolerant = RunLoop.Timer(after: .milliseconds(2), tolerance: .seconds(3600)) { _ in note() }
    switch self {
    case .movedTimer:
      loop.add(far, to: .default)
      return { far.setFireDate(after: .milliseconds(2)) }
    case .timerOfLessTolerance:
      loop.add(tolerant, to: .default)
      return { tolerant.tolerance = .zero }
    default:
      let clock: RunLoop.TimerClock = self == .bootTimer ? .boot : self == .wallTimer ? .wall : .monotonic
      let add = { @Sendable in
        _ = loop.add(RunLoop.Timer(after: .milliseconds(2), on: clock) { _ in note() }, to: .default)
      }
      return { if self == .timerFromElsewhere { elsewhere(add) } else { add() } }
    }
  }

  private func prepareDescriptor(
    on loop: RunLoop, _ note: @escaping @Sendable () -> Void
  ) throws -> () -> Void {
    let pipe = Pipe()
    let number = self == .alwaysReady ? unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) : pipe.readEnd
    let isLate = self == .interest || self == .alwaysReady
    let source = RunLoop.DescriptorSource(number, interest: isLate ? [] : .read, files: .alwaysReady) {
      source, _ in
      pipe.drain()
      source.invalidate()
      if number != pipe.readEnd { close(number) }
      note()
    }
    if self == .descriptorFromElsewhere {
      return {
        pipe.fill()
        elsewhere { try? loop.add(source, to: .default) }
      }
    }
    try loop.add(source, to: .default)
    return {
      pipe.fill()
      if isLate { source.interest = .read }
    }
  }
}
