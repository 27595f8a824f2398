import Foundation
import Mainspring
import MainspringFoundation

/// Foundation's loop of another thread than the main one.
enum ThreadScenario {
  static func run() throws {
    let ended = Loop.Token()
    let thread = try RunLoopThread(named: "worker") { _ = try? $0.hostFoundation() }
    thread.perform {
      _ = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
        tell("timer")
        Foundation.RunLoop.current.perform {
          tell("performed")
          ended.signal()
        }
      }
    }
    Loop.current.run(until: ended)
    tell("ended: \(thread.stop(for: .seconds(20)))")
  }
}
