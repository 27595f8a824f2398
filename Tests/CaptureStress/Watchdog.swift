import Foundation

/// Runs the work in a process of its own; ends it, with a word on where its threads are, when it says nothing more.
struct Watchdog {
  let sampleCount: Int

  /// The work says something each second.
  private static let silenceMax: CInt = 60

  /// Whether the work ended by itself, and well.
  func run() -> Bool {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--worker", "--samples=\(sampleCount)"]
    process.standardOutput = output
    do { try process.run() } catch {
      say("the work cannot be started: \(error)")
      return false
    }
    guard relay(output.fileHandleForReading) else {
      say("the work has said nothing for \(Self.silenceMax) s; its threads:")
      for line in Self.threads(of: process.processIdentifier) { say(line) }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return false
    }
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      say("the work ended by signal \(process.terminationStatus)")
    }
    return process.terminationReason == .exit && process.terminationStatus == 0
  }

  /// Passes on what the work says, until it ends; false if it falls silent.
  private func relay(_ input: FileHandle) -> Bool {
    var rest: [UInt8] = []
    while true {
      var request = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
      // SAFETY: one request, which outlives the call.
      guard unsafe poll(&request, 1, Self.silenceMax * 1000) > 0 else { return false }
      let data = input.availableData
      if data.isEmpty { return true }
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        pass(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
    }
  }

  private func pass(_ line: String) {
    if line.hasPrefix("progress ") { say(String(line.dropFirst(9))) } else { print(line) }
  }

  private func say(_ line: String) { FileHandle.standardError.write(Data("stress: \(line)\n".utf8)) }

  private static func threads(of process: Int32) -> [String] {
    let folder = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { thread in
      let facts = ["comm", "wchan", "syscall"].map { name in
        let text = (try? String(contentsOfFile: "\(folder)/\(thread)/\(name)", encoding: .utf8)) ?? "?"
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      return "  \(thread) \(facts.joined(separator: " "))"
    }
  }
}
