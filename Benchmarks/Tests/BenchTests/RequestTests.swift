import CommandLineOptions
import Testing

@testable import Bench

@Suite struct `Requests` {
  private func plan(_ arguments: String...) throws -> Plan {
    guard case .measure(let plan, _, _) = try Request(arguments) else { return Plan(entries: []) }
    return plan
  }

  @Test func `without options everything is measured, five times, for seven minutes at most`() throws {
    guard case .measure(let plan, let pace, let output) = try Request([]) else {
      Issue.record("nothing is measured")
      return
    }
    #expect(plan.entries.count == Plan.whole().entries.count)
    #expect(pace == Request.Pace(repetitions: 5, budget: .seconds(420), cap: .seconds(3)))
    #expect(output == .tables(isPlain: false))
  }

  @Test func `timers 5 s away take long, and are measured if asked for`() throws {
    #expect(!(try plan().entries.contains { $0.cell == Cell("far", 5000) }))
    #expect(try plan("--long").entries.contains { $0.cell == Cell("far", 5000) })
  }

  @Test func `options choose workloads, peers and loads`() throws {
    let plan = try plan("--only=w6o1,idle", "--peers=raw", "--no-hog")
    #expect(plan.entries.map(\.cell.workload) == ["w6o1", "w6o10", "idle"])
    #expect(plan.entries.allSatisfy { $0.peers == ["raw"] && $0.loads == [.idle] })
  }

  @Test(arguments: [
    (["--only=w9"], "--only: 'w9' is no workload; did you mean w1?"),
    (["--peers=libuw"], "--peers: 'libuw' is no peer; did you mean libuv?"),
    (["--hog", "--no-hog"], "--no-hog: it cannot go with --hog; leave one out"),
    (["--json", "--page=a.md"], "--page: it cannot go with --json; leave one out"),
    (["--reps=0"], "--reps: '0' is not a whole number from 1 to 1000"),
  ])
  func `what is wrong is said in a line that names the option`(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { _ = try Request(arguments) }
    #expect(error?.description == message)
  }
}
