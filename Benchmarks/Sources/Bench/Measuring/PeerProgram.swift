import Foundation
import Workbench

/// The program of a peer, started for one cell.
struct PeerProgram: Sendable {
  /// The folder of the programs.
  let folder: String
  /// How long one phase of a cell may take.
  let cap: Duration

  func isThere(_ peer: Peer) -> Bool { FileManager.default.isExecutableFile(atPath: path(of: peer)) }

  func measure(_ cell: Cell, of peer: Peer) -> Line {
    cell.isTraced ? traced(cell, of: peer) : line(path(of: peer), [], cell.size, cell, peer)
  }

  private func path(of peer: Peer) -> String { folder + "/" + peer.program }

  /// What the program prints, started by what stands before it.
  private func line(_ program: String, _ before: [String], _ size: Int, _ cell: Cell, _ peer: Peer) -> Line {
    let child = ChildProcess(
      program: program, arguments: before + [peer.name, cell.workload, String(size)],
      variables: ["BENCH_CAP_S=\(cap / .seconds(1))", "SWIFT_BACKTRACE=enable=no"],
      limit: .seconds(10) + cap * 2)
    do throws(ChildProcess.StartError) {
      let outcome = try child.run()
      if case .overdue = outcome.end { return .excluded(.over("\(outcome.end)")) }
      guard let text = outcome.output.split(separator: "\n").last, let line = try? Line(text) else {
        let complaint = outcome.complaint.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return .excluded(.failed("\(outcome.end)\(complaint)"))
      }
      return line
    } catch {
      return .excluded(.failed(error.description))
    }
  }

  // MARK: system calls

  private static let tracer = "/usr/bin/strace"

  /// System calls an operation: what three times as many operations make more, so that the start is not in it.
  private func traced(_ cell: Cell, of peer: Peer) -> Line {
    guard FileManager.default.isExecutableFile(atPath: Self.tracer) else {
      return .excluded(.notAvailable("there is no strace"))
    }
    var counts: [Double] = []
    for size in [cell.size, cell.size * 3] {
      let file = NSTemporaryDirectory() + "bench-calls-\(ProcessInfo.processInfo.processIdentifier)"
      defer { try? FileManager.default.removeItem(atPath: file) }
      let line = line(Self.tracer, ["-f", "-c", "-o", file, path(of: peer)], size, cell, peer)
      if case .excluded = line { return line }
      guard let summary = try? String(contentsOfFile: file, encoding: .utf8),
        let count = TracerSummary(summary).calls
      else { return .excluded(.failed("the tracer says nothing")) }
      counts.append(Double(count))
    }
    return .figures(
      Figures(first: 0, pairs: ["calls=\(max(0, counts[1] - counts[0]) / Double(cell.size * 2))"]))
  }
}

/// What `strace -c` writes.
struct TracerSummary {
  /// All system calls together.
  let calls: Int?

  init(_ text: String) {
    let total = text.split(separator: "\n").last { $0.hasSuffix(" total") }
    // "100.00    0.000123           1       123         4 total": the errors may be missing.
    calls = total.flatMap { line in
      let words = line.split(separator: " ")
      return words.count >= 5 ? Int(words[3]) : nil
    }
  }
}
