internal import LinuxKernel
internal import Mainspring
internal import MainspringMainExecutor
public import MainspringTesting

/// Runs an asynchronous closure of the main actor on virtual time, and returns what it returns: an hour of `Task.sleep`
/// passes in milliseconds, exactly.
///
/// ```swift
/// import MainspringTesting
/// import MainspringTestingMainActor
///
/// @MainActor func testOfAnHour() async throws {
///   try await withVirtualMainActor { time in
///     let begin = ContinuousClock.now
///     try await Task.sleep(for: .seconds(3600))
///     precondition(ContinuousClock.now - begin == .seconds(3600))
///   }
/// }
/// ```
///
/// As `withVirtualTime`, on the main loop: what belongs to the main actor takes part, and so does whatever code on the main
/// thread begins: tasks, detached ones too, functions that belong to no actor, sleeps of the standard library. All of these
/// run on the main thread, one at a time. The clocks of the system, and so those of the standard library, tell that thread
/// the virtual time. Timers that were in the main loop before fire in it, too.
///
/// One closure at a time: another waits for its end. Afterwards the main loop's time goes on from where it is, ahead of the
/// kernel's.
///
/// - Parameters:
///   - patience: how long, really, to wait where no timer is armed and only other threads, or a descriptor, can bring
///     something.
///   - body: the closure.
/// - Throws: what the closure throws; `StuckError` if nothing could happen any more, after which the closure's task is
///   cancelled.
@MainActor
public func withVirtualMainActor<Value: Sendable>(
  patience: Duration = .seconds(10),
  _ body: @escaping @MainActor @Sendable (VirtualTime) async throws -> Value
) async throws -> Value {
  if let time = VirtualTime.ofThisTask, time.loop === RunLoop.main.base { return try await body(time.anew) }
  let loop = RunLoop.main.base
  guard MainRunLoop.carriesMainActor, let poller = loop.poller as? JumpingPoller else {
    trap("the main actor is not the main loop's: the library was loaded after the program's start")
  }
  await turns.take()
  defer { turns.giveBack() }
  poller.loop = loop
  let answer = Answer<Value>()
  let scope = Scope(loop, poller)
  let task = Task { @MainActor in
    let result: Result<Value, any Error>
    do { result = .success(try await VirtualTime(loop, poller).carrying(body)) } catch {
      result = .failure(error)
    }
    scope.end()
    answer.give(result)
  }
  return try await withTaskCancellationHandler {
    try await answer.awaited {
      poller.freeze(patience: patience) { waiting in
        // By a block: here the loop is waiting by the clock that is to go on.
        loop.perform(in: .common) {
          MainActor.assumeIsolated { scope.end() }
          answer.give(.failure(StuckError(waiting: waiting)))
          task.cancel()
        }
      }
      loop.keepsTasks = true
    }
  } onCancel: {
    task.cancel()
  }
}

/// A stretch of virtual time of the main loop. It ends once.
@MainActor
private final class Scope {
  private let loop: RunLoop
  private let poller: JumpingPoller
  private var isOver = false

  init(_ loop: RunLoop, _ poller: JumpingPoller) {
    self.loop = loop
    self.poller = poller
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    loop.keepsTasks = false
    poller.thaw()
  }
}

@MainActor private let turns = Turns()

/// One at a time, in the order of asking.
@MainActor
private final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    if isTaken { await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
  }

  func giveBack() {
    isTaken = false
    if !waiting.isEmpty {
      // Nobody comes between.
      isTaken = true
      waiting.removeFirst().resume()
    }
  }
}
