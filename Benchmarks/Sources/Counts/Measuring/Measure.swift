/// What is counted, and by which tool.
enum Measure: String, Sendable, CaseIterable {
  /// Calls to the kernel, by strace.
  case calls
  /// Memory asked for, by the program itself.
  case allocations
  /// Instructions of the program and its libraries, not the kernel's, by callgrind. Only of what happens in the same order
  /// each time.
  case instructions

  /// What each is of where threads wait for one another: the order of their instructions is the scheduler's.
  static let withoutInstructions: [Measure] = [.calls, .allocations]

  /// Whether the limits are meant for this machine: those of instructions are for one kind of processor.
  var isJudgedHere: Bool {
    #if arch(x86_64)
      true
    #else
      self != .instructions
    #endif
  }

  /// The command line that has an operation done where the tool sees it; what it sees goes into `output`.
  func command(doing operation: Operation, by program: String, into output: String) -> [String] {
    let measured = [program, "--measure=\(operation.name)"]
    return switch self {
    case .calls: ["strace", "-f", "-qq", "-o", output, "--"] + measured
    case .allocations: measured
    case .instructions:
      [
        "valgrind", "-q", "--tool=callgrind", "--zero-before=counts_begin", "--dump-before=counts_end",
        "--callgrind-out-file=\(output)",
      ] + measured + ["--old-epoll"]
    }
  }

  /// What the tool saw.
  func read(_ output: String, standardOutput: String) throws -> Count {
    switch self {
    case .calls: try CallTrace(text: TextFile(output).read()).count
    case .allocations: try Count(lines: TextFile(standardOutput).read())
    case .instructions:
      try Count(profiles: Self.profiles(in: output))
    }
  }

  /// Those that callgrind wrote at the ends of the two regions.
  static func profiles(in output: String) throws -> (once: CallgrindProfile, thrice: CallgrindProfile) {
    var names: [Substring: Substring] = [:]
    let once = try CallgrindProfile(text: TextFile(output + ".1").read(), names: &names)
    return (once, try CallgrindProfile(text: TextFile(output + ".2").read(), names: &names))
  }
}
