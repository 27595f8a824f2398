import Foundation
import Mainspring
import MainspringFoundation

/// Child processes of Foundation's.
@MainActor
enum ProcessScenario {
  static func run() throws {
    let main = Loop.main.base
    try main.hostFoundation()
    main.perform(in: .default) {
      let waited = child()
      try? waited.run()
      waited.waitUntilExit()
      tell("waited for in a callout: \(waited.terminationStatus)")
      let told = child()
      told.terminationHandler = { process in
        let status = process.terminationStatus
        DispatchQueue.main.async {
          tell("told: \(status)")
          main.stop()
        }
      }
      try? told.run()
    }
    tell("ended: \(main.run().reason)")
  }

  private nonisolated static func child() -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exit 7"]
    return process
  }
}
