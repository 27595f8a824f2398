import Foundation

/// One run of a program that was built beside the tests.
struct ProgramRun {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ name: String, _ arguments: [String]) {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent(name)
    process.arguments = arguments
    // What crashes on purpose is not to be explained at length.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = output
    process.standardError = errors
  }

  /// Whether it ended by itself, and with success.
  var hasExited: Bool { process.terminationReason == .exit && process.terminationStatus == 0 }

  /// What it writes. It writes too little to fill one pipe while the other is read.
  func run() throws -> (output: String, errors: String) {
    try process.run()
    let written = [output, errors].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (written[0], written[1])
  }
}
