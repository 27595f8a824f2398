import Dispatch
import Mainspring
import MainspringDispatch

/// The end of serving.
@MainActor
enum EndScenario {
  static func invalidated() throws {
    let main = RunLoop.main
    let service = try main.serveMainQueue()
    tell("the same: \(try main.serveMainQueue() === service)")
    DispatchQueue.main.async {
      tell("first")
      service.invalidate()
      DispatchQueue.main.async { tell("second") }
    }
    tell("ended: \(main.run().reason)")
    tell("ended: \(main.run().reason)")
    let next = try main.serveMainQueue()
    tell("another: \(next !== service)")
    DispatchQueue.main.async { next.invalidate() }
    tell("ended: \(main.run().reason)")
  }
}
