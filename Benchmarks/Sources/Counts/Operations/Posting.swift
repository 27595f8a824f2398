import Mainspring

extension Operations {
  static let posting = [
    Operation("post", "a closure that holds nothing, from another thread, and its call", times: 500) {
      let loop = RunLoop.current
      return { times in
        Callouts.expect(times) {
          BareThread.run { for _ in 0..<times { loop.perform(in: .default) { Callouts.note() } } }
          loop.run()
        }
      }
    },
    Operation("post-context", "the same, of a closure that holds an object and a number", times: 500) {
      let (loop, ledger) = (RunLoop.current, Ledger())
      return { times in
        Callouts.expect(times) {
          BareThread.run {
            for number in 0..<times { loop.perform(in: .default) { ledger.enter(number) } }
          }
          loop.run()
        }
      }
    },
    Operation("post-self", "a closure that queues the next one on its own loop, and the pass between") {
      let chain = Chain(on: RunLoop.current)
      return { times in Callouts.expect(times) { chain.run(times) } }
    },
    Operation(
      "perform-and-wait", "a closure for a thread whose loop sleeps, and the wait for what it returns",
      times: 100,
      by: Measure.withoutInstructions
    ) {
      let thread = try RunLoopThread()
      return { times in
        for number in 0..<times {
          awaitSleep(of: thread.loop)
          let answer = try thread.performAndWait {
            // So that the answer is waited for, and not there already.
            rest()
            return number &+ 1
          }
          precondition(answer == number &+ 1, "\(answer) is not the answer to \(number)")
        }
      }
    },
    Operation("port", "a message of a port, from another thread, and its delivery", times: 500) {
      let loop = RunLoop.current
      let port = RunLoop.Port<Int> { _, _ in Callouts.note() }
      loop.add(port, to: .default)
      return { times in
        Callouts.expect(times) {
          BareThread.run { for number in 0..<times { port.send(number) } }
          loop.run(in: .default, for: .zero)
        }
      }
    },
  ]
}

/// Something that a closure might hold.
private final class Ledger: Sendable {
  func enter(_ number: Int) {
    precondition(number >= 0, "\(number) is no entry")
    Callouts.note()
  }
}

/// Closures that queue one another.
private final class Chain: @unchecked Sendable {
  // Sendable: touched on the loop's thread alone.
  private let loop: RunLoop
  private var left = 0

  init(on loop: RunLoop) { self.loop = loop }

  func run(_ times: Int) {
    left = times
    post()
    // With the last one the mode is empty, and the run over.
    loop.run()
  }

  private func post() { loop.perform(in: .default) { self.step() } }

  private func step() {
    Callouts.note()
    left -= 1
    if left > 0 { post() }
  }
}
