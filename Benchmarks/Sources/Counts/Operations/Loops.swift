import Mainspring

extension Operations {
  static let loops = [
    Operation(
      "thread", "a thread made and joined, without a loop: what those below are measured by", times: 50,
      steadiness: .varying
    ) {
      return { times in
        Callouts.expect(times) { for _ in 0..<times { BareThread.run { Callouts.note() } } }
      }
    },
    Operation(
      "thread-loop", "the same, and the thread's loop runs a closure before it ends", times: 50,
      steadiness: .varying
    ) {
      return { times in
        Callouts.expect(times) {
          for _ in 0..<times {
            BareThread.run {
              let loop = RunLoop.current
              loop.perform(in: .default) { Callouts.note() }
              loop.run()
            }
          }
        }
      }
    },
    Operation(
      "run-loop-thread", "a RunLoopThread made, sent a closure, and stopped", times: 50,
      steadiness: .varying
    ) {
      return { times in
        try Callouts.expect(times) {
          for _ in 0..<times {
            let thread = try RunLoopThread()
            thread.perform { Callouts.note() }
            thread.stop()
          }
        }
      }
    },
  ]
}
