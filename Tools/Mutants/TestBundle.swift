import Foundation

/// The tests, run directly: the package manager takes longer than they do.
struct TestBundle {
  let program: URL
  /// Where outputs are kept.
  let outputs: URL

  /// What the tests of a rule did.
  enum Verdict: Equatable {
    case passed(count: Int)
    case failed(by: String)
    case crashed(in: String)
    case hung(in: String)
    case unclear(String)
  }

  /// Runs the tests that cite a rule, one after the other, so that it is known which one was on.
  func test(_ rule: String, fault number: Int, limit: Double, named name: String) throws -> Verdict {
    let log = outputs.appendingPathComponent(name + ".txt")
    // By the line: what a program that is killed has not written yet would be lost.
    let outcome = try launch(
      "stdbuf",
      ["--output=L", program.path, "--testing-library", "swift-testing", "--no-parallel"]
        + ["--filter", Self.pattern(citing: rule)],
      environment: [
        "MAINSPRING_PLANTED_FAULT": "\(number)", Self.mark.name: Self.mark.value,
        "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1",
      ], limit: limit, log: log, until: { hasFailure(log) })
    endStragglers()
    let story = Story(try String(decoding: Data(contentsOf: log), as: UTF8.self))
    if outcome == .exited(0) { return .passed(count: story.count) }
    // What came after the first failure adds nothing.
    if let failed = story.failed { return .failed(by: failed) }
    switch outcome {
    case .timedOut: return .hung(in: story.running ?? "no test")
    case .crashed: return .crashed(in: story.running ?? "no test")
    case .exited(let status):
      // An exit test's child that is gone, say, or a trap that ends the process by itself.
      return story.running.map { .crashed(in: $0) } ?? .unclear("exit code \(status), see \(log.path)")
    }
  }

  /// What tells processes that this one's tests started.
  private static let mark = (name: "MAINSPRING_MUTANTS_RUN", value: "\(getpid())")

  /// Ends what a test that hung or was ended has left: programs that it started are in no group of its own.
  private func endStragglers() {
    let mark = Data("\(Self.mark.name)=\(Self.mark.value)\0".utf8)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = pid_t(name), process != getpid() else { continue }
      let settings = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/environ"))
      if settings?.range(of: mark) != nil { kill(process, SIGKILL) }
    }
  }

  /// Whether a test has failed: what comes after adds nothing, and may take long.
  private func hasFailure(_ log: URL) -> Bool {
    (try? Data(contentsOf: log)).map { $0.range(of: Data("✘ Test ".utf8)) != nil } ?? false
  }

  /// What stands before the first colon of a test's name cites: `M26`, `M32, M38`, `M26 CF 46`, `CF 18, 20, 25`.
  static func pattern(citing rule: String) -> String {
    let letters = rule.hasPrefix("CF") ? "CF " : "M"
    let number = rule.dropFirst(letters.count)
    return "`(?:[^:`]*[ ,])?\(letters)(?:[0-9]+,? )*\(number)(?:[ ,][^:`]*)?: "
  }
}

/// What a run of tests told, line by line.
private struct Story {
  /// The test that was on at the end.
  var running: String?
  /// The first that failed.
  var failed: String?
  var count = 0

  init(_ output: String) {
    for raw in output.split(whereSeparator: \.isNewline) {
      let line = raw.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      if let match = line.wholeMatch(of: #/◇ Test "(.*)" started\./#) { running = String(match.1) }
      if line.contains(#/^✔ Test ".*".* passed after/#) { (running, count) = (nil, count + 1) }
      // What another thread recorded is of no test; the one that is on waits for it.
      if line.hasPrefix("✘ Test «unknown» recorded"), failed == nil { failed = running }
      if let match = line.firstMatch(of: #/^✘ Test "(.*)".* (recorded an issue|failed after)/#), failed == nil
      {
        failed = String(match.1)
      }
    }
  }
}
