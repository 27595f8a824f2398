/// Operations done where tools see them, and what was counted.
struct Measurement {
  let counts: [String: [Measure: Count]]

  /// Why an operation could not be counted.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(of operations: [Operation], progress: (_ done: Int, _ all: Int) -> Void) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let jobs = Self.jobs(for: operations, in: folder.path)
    var processes = Processes()
    var done = 0
    progress(done, jobs.count)
    var found: [String: [Measure: Count]] = [:]
    try processes.run(jobs.map { ($0.command, $0.standardOutput) }) { index, isGood in
      let job = jobs[index]
      guard isGood else { throw Failure(description: job.complaint) }
      found[job.operation.name, default: [:]][job.measure] = try job.measure.read(
        job.output, standardOutput: job.standardOutput)
      done += 1
      progress(done, jobs.count)
    }
    counts = found
  }

  /// Where the instructions of one operation are.
  static func breakdown(of operation: Operation) throws -> Breakdown {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let job = Job(operation: operation, measure: .instructions, output: "\(folder.path)/profile")
    var processes = Processes()
    try processes.run([(job.command, job.standardOutput)]) { _, isGood in
      guard isGood else { throw Failure(description: job.complaint) }
    }
    let profiles = try Measure.profiles(in: job.output)
    return Breakdown(once: profiles.once, thrice: profiles.thrice, times: operation.times)
  }

  private struct Job {
    let operation: Operation
    let measure: Measure
    let output: String

    var standardOutput: String { output + ".text" }
    var command: [String] { measure.command(doing: operation, by: Self.program, into: output) }

    /// What the process said last, if it said anything.
    var complaint: String {
      let said = (try? TextFile(standardOutput).read()) ?? ""
      let lines = said.split(separator: "\n").prefix(8).joined(separator: "\n  ")
      return
        "\(measure.rawValue) of '\(operation.name)' could not be counted: \(command.joined(separator: " "))\n  \(lines)"
    }

    private static let program = CommandLine.arguments[0]
  }

  /// What takes long is begun first.
  private static func jobs(for operations: [Operation], in folder: String) -> [Job] {
    let jobs = operations.flatMap { operation in
      operation.measures.map {
        Job(operation: operation, measure: $0, output: "\(folder)/\(operation.name).\($0.rawValue)")
      }
    }
    return jobs.filter { $0.operation.times == 1 } + jobs.filter { $0.operation.times > 1 }
  }
}
