import Mainspring

extension Operations {
  static let executors = [
    Operation("job", "a stretch of a task that prefers the loop, queued by the stretch before, and its pass")
    {
      let loop = RunLoop.current
      return { times in
        Callouts.expect(times) {
          Task(executorPreference: loop.taskExecutor) { @concurrent in
            for _ in 0..<times {
              Callouts.note()
              await Task.yield()
            }
          }
          precondition(loop.run().reason == .finished, "jobs are left")
        }
      }
    },
    Operation("job-hop", "a call of an actor by another of the same loop, and back") {
      let loop = RunLoop.current
      let (caller, called) = (Caller(on: loop), Called(on: loop))
      return { times in
        let token = RunLoop.Token()
        Callouts.expect(times) {
          // A task that prefers an executor goes back to it between the actors.
          Task.detached {
            await caller.call(called, times)
            token.signal()
          }
          loop.run(until: token)
        }
      }
    },
    Operation(
      "job-asleep", "a call of an actor by one of another loop, which sleeps meanwhile, and back",
      steadiness: .varying
    ) {
      let (loop, thread) = (RunLoop.current, try RunLoopThread(named: "called"))
      let (caller, called) = (Caller(on: loop), Called(on: thread.loop))
      return { times in
        let token = RunLoop.Token()
        Callouts.expect(times) {
          Task.detached {
            await caller.call(called, times)
            token.signal()
          }
          // Dropped, the other thread would end.
          withExtendedLifetime(thread) { _ = loop.run(until: token) }
        }
      }
    },
  ]
}

private actor Caller {
  private let executor: RunLoop.ActorExecutor
  // SAFETY: the actor holds the executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  private var answers = 0

  init(on loop: RunLoop) { executor = loop.executor }

  /// Each turn has something to do on either side: a hop that nothing needs would be left out.
  func call(_ called: Called, _ times: Int) async {
    for _ in 0..<times { answers = await called.answer(answers) }
  }
}

private actor Called {
  private let executor: RunLoop.ActorExecutor
  // SAFETY: as the caller's.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  private var asked = 0

  init(on loop: RunLoop) { executor = loop.executor }

  @inline(never)
  func answer(_ number: Int) -> Int {
    Callouts.note()
    asked += number
    return asked &+ 1
  }
}
