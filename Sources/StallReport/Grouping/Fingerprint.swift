extension Report {
  /// What groups a stall with its like.
  ///
  /// It depends on names alone: not on durations, lines, addresses, threads, hosts or versions.
  public struct Fingerprint: Sendable, Equatable {
    /// The version of the rules by which it was made.
    public static let version = 1

    /// The version of the rules by which this one was made.
    public var version: Int
    /// The variant: the issue and the chain of functions down to the culprit. 16 hexadecimal digits.
    public var hash: String
    /// The issue: kind, loop, phase, verdict and culprit. 8 hexadecimal digits.
    public var level1: String
    /// The index of the culprit's frame, if there is one.
    public var culprit: Int?
    /// The issue in words.
    public var title: String
    /// The words that `level1` was made from.
    public var basis: [String]
  }

  /// Sets the fingerprint from the report's other parts.
  ///
  /// - Complexity: O(frames of all samples).
  public mutating func computeFingerprint() { fingerprint = Fingerprint(of: self) }
}

extension Report.Fingerprint {
  /// The functions of the program's that tell variants of an issue apart, at most.
  private static let chainLength = 5

  /// The fingerprint that follows from `report`.
  public init(of report: Report) {
    // Of a starved thread the stack is arbitrary: it was ready to run anywhere.
    if report.kind == .starvation || report.cost.verdict == .starved {
      let basis = [report.app.name, report.loop.kind.rawValue, "host-starved"]
      self.init(basis: basis, chain: [], culprit: nil, title: "Host starved")
      return
    }
    let culprit = report.culprit
    if report.kind == .crash {
      let signal = report.annotations["crash_signal"] ?? "-"
      let basis = [report.kind.rawValue, report.loop.kind.rawValue, signal, culprit.name]
      let subject = culprit.frame == nil ? "no code of the program's" : culprit.name
      self.init(
        basis: basis, chain: culprit.chain.suffix(Self.chainLength), culprit: culprit.frame,
        title: "\(signal) in \(subject)")
      return
    }
    let verdict = report.cost.verdict.flatMap { [.busy, .blocked].contains($0) ? $0.rawValue : nil }
    var basis = [report.kind.rawValue, report.loop.kind.rawValue, report.phase.name.rawValue, verdict ?? "-"]
    if report.cost.verdict == .blocked { basis.append(report.leafCategory?.rawValue ?? "-") }
    basis.append(culprit.name)
    let subject = culprit.frame == nil ? "No code of the program's" : culprit.name
    self.init(
      basis: basis, chain: culprit.chain.suffix(Self.chainLength), culprit: culprit.frame,
      title: "\(subject) in \(report.phase.name.callout)")
  }

  private init(basis: [String], chain: ArraySlice<String>, culprit: Int?, title: String) {
    let words = ["stall-v\(Self.version)"] + basis
    self.init(
      version: Self.version, hash: StableHash(words + chain).digits, level1: StableHash(words).shortDigits,
      culprit: culprit, title: title, basis: basis)
  }
}

extension Report.Fingerprint: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("v", version)
      json.member("hash", hash)
      json.member("level1", level1)
      json.member("culprit", culprit.map(Report.Frame.identifier))
      json.member("title", title)
      json.member("basis", basis)
    }
  }
}

extension Report.PhaseName {
  /// The part of the pass in words.
  var callout: String {
    switch self {
    case .timer, .timers: "timer callback"
    case .source: "source callback"
    case .port: "port or descriptor callback"
    case .block: "block"
    case .mainQueue: "main dispatch queue"
    case .job: "job of an executor"
    default: rawValue.hasPrefix("observer:") ? "observer callback" : "phase \(rawValue)"
    }
  }
}
