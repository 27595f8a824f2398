import Foundation

/// One run over all faults.
struct Campaign {
  let root: URL
  let work: URL
  /// The rules that were asked for; all if empty.
  let only: Set<String>
  /// How long, in seconds, a rule's tests may take before they count as hanging: this, or ten times what they take
  /// without a fault.
  let patience: Double

  /// A rule as `make rules` tells it.
  private struct Rule: Decodable {
    let rule: String
    let status: String
    let changedBy: [String]
    let tests: [Test]
    struct Test: Decodable { let file: String }

    /// Whether tests of its own must notice a fault against it.
    var needsFault: Bool { status == "tested" || status == "changed" && changedBy.isEmpty }
  }

  func run() throws -> Never {
    let begin = Date()
    let faults = try Fault.all(in: root.appendingPathComponent("Tests/Mutants"))
    var numbers: [String: Int] = [:]
    for (index, fault) in faults.enumerated() {
      if numbers.updateValue(index + 1, forKey: fault.title) != nil {
        fail("\(fault.title) stands there twice")
      }
    }
    let rules = try readRules()
    var complaints = complaints(about: faults, numbers, rules)

    let targets = rules.flatMap(\.tests).map { String($0.file.split(separator: "/")[1]) }
    let tree = Tree(original: root, copy: work.appendingPathComponent("tree"), testTargets: Set(targets))
    let planted = faults.compactMap { fault in
      if case .planted(let edit) = fault.change { (numbers[fault.title]!, edit, fault.title) } else { nil }
    }
    let stale = try tree.plant(planted)
    if !stale.isEmpty { fail(stale.joined(separator: "\nmutants: ")) }
    say("mutants: building \(planted.count) faults into one")
    let log = work.appendingPathComponent("build.txt")
    guard let program = try tree.build(log: log) else {
      fail("the faults do not compile, see \(log.path)\n" + errors(in: log))
    }
    say("mutants: built after \(seconds(since: begin)) s")

    let outputs = work.appendingPathComponent("outputs")
    try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
    let bundle = TestBundle(program: program, outputs: outputs)
    let chosen = faults.filter { only.isEmpty || only.contains($0.rule) }
    let limits = try soundRules(Set(chosen.map(\.rule)), bundle, &complaints)
    let survivors = try hunt(chosen, numbers, limits, bundle)

    say(
      "mutants: \(chosen.count) faults, \(chosen.count - survivors.count) killed, \(seconds(since: begin)) s")
    let sentences = Dictionary(uniqueKeysWithValues: faults.map { ($0.title, $0.sentence) })
    for survivor in survivors {
      complaints.append("\(survivor.title) SURVIVED: \(sentences[original(of: survivor)] ?? "")")
    }
    if complaints.isEmpty { exit(0) }
    fail(complaints.joined(separator: "\nmutants: "))
  }

  private func readRules() throws -> [Rule] {
    let told = work.appendingPathComponent("rules.json")
    // Rules without tests are said by `make rules`, and here for want of a fault.
    _ = try launch("sh", ["-c", "Tools/rules.sh --json 2>/dev/null"], log: told)
    return try JSONDecoder().decode([Rule].self, from: Data(contentsOf: told))
  }

  private func complaints(about faults: [Fault], _ numbers: [String: Int], _ rules: [Rule]) -> [String] {
    let faulted = Set(faults.map(\.rule))
    let known = Set(rules.map(\.rule))
    var complaints: [String] = []
    for fault in faults where !known.contains(fault.rule) {
      complaints.append("\(fault.title): there is no such rule")
    }
    for fault in faults {
      if case .same(let rule, let name) = fault.change, numbers["\(rule) \(name)"] == nil {
        complaints.append("\(fault.title): there is no fault \(rule) \(name)")
      }
    }
    for rule in rules where rule.needsFault && !faulted.contains(rule.rule) {
      if only.isEmpty || only.contains(rule.rule) {
        complaints.append("\(rule.rule): no fault is planted against it")
      }
    }
    return complaints
  }

  /// Sees that the rules' tests pass with no fault chosen, and how long they may take with one.
  private func soundRules(
    _ rules: Set<String>, _ bundle: TestBundle, _ complaints: inout [String]
  ) throws -> [String: Double] {
    var limits: [String: Double] = [:]
    for rule in rules.sorted() {
      let begin = Date()
      switch try bundle.test(rule, fault: 0, limit: 120, named: "\(rule) with no fault") {
      case .passed(count: 0): complaints.append("\(rule): no test cites it")
      case .passed: limits[rule] = max(patience, min(20, 10 * -begin.timeIntervalSinceNow))
      case let other: complaints.append("\(rule): its tests do not pass with no fault: \(other)")
      }
    }
    say("mutants: the tests of \(limits.count) rules pass with no fault")
    return limits
  }

  private func hunt(
    _ faults: [Fault], _ numbers: [String: Int], _ limits: [String: Double], _ bundle: TestBundle
  ) throws -> [Fault] {
    var survivors: [Fault] = []
    for fault in faults {
      guard let limit = limits[fault.rule] else { continue }
      let begin = Date()
      let verdict = try bundle.test(
        fault.rule, fault: numbers[original(of: fault)] ?? 0, limit: limit, named: fault.title)
      if case .passed = verdict { survivors.append(fault) }
      let time = String(format: "%5.1f s", -begin.timeIntervalSinceNow)
      say("\(fault.rule.padded(to: 6)) \(fault.name.padded(to: 28)) \(time)  \(verdict.text)")
    }
    return survivors
  }

  /// The fault whose change it is.
  private func original(of fault: Fault) -> String {
    if case .same(let rule, let name) = fault.change { "\(rule) \(name)" } else { fault.title }
  }

  private func errors(in log: URL) -> String {
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    var told: [Substring] = []
    for line in text.split(separator: "\n") where line.contains(": error:") && !told.contains(line) {
      told.append(line)
    }
    return told.prefix(10).joined(separator: "\n")
  }

  private func seconds(since date: Date) -> Int { Int(-date.timeIntervalSinceNow) }
}

extension TestBundle.Verdict {
  fileprivate var text: String {
    switch self {
    case .passed: "SURVIVED"
    case .failed(let test): "killed by \"\(test)\""
    case .crashed(let test): "killed, a crash in \"\(test)\""
    case .hung(let test): "killed, a hang in \"\(test)\""
    case .unclear(let what): "killed, \(what)"
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self
  }
}
