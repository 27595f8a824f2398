import Dispatch
import LinuxKernel
import Mainspring
import MainspringDispatch

/// What traps, and with which words.
@MainActor
enum MisuseScenario {
  static func elsewhere() throws {
    let token = RunLoop.Token()
    try NativeThread.start(named: "elsewhere") {
      _ = try? RunLoop.main.serveMainQueue()
      token.signal()
    }
    RunLoop.main.base.run(until: token)
  }

  static func afterDispatchMain() {
    DispatchQueue.main.async {
      tell("on the main thread: \(ThreadIdentity.isMain)")
      _ = try? RunLoop.main.serveMainQueue()
    }
    dispatchMain()
  }

  static func whileHosted() throws {
    let host = try RunLoop.main.beHostedByMainQueue()
    try withExtendedLifetime(host) { _ = try RunLoop.main.serveMainQueue() }
  }
}
