import MainspringTesting
import Testing

@testable import StallReport

@Suite struct Decoding {
  @Test func `the schema's example decodes, and is what its report encodes to`() throws {
    let bytes = try ExampleFile.bytes()
    let report = try Report(json: bytes)
    #expect(report.json(layout: .pretty) + "\n" == String(decoding: bytes, as: UTF8.self))
    #expect(report.stacks.frames[5].inlinedInto == 4)
    #expect(report.stacks.frames[3].kind == .phase(.timer))
    #expect(report.time.duration == .milliseconds(1712))
    #expect(report.phase.item?.late == .microseconds(3100))
    #expect(report.fingerprint?.culprit == 4)
  }

  @Test func `the example's fingerprint follows from its parts`() throws {
    var report = try Report(json: ExampleFile.bytes())
    let stored = report.fingerprint
    report.computeFingerprint()
    #expect(report.fingerprint == stored)
  }

  @Test(arguments: [Report.full(), .bare(), .deadlocked(), .saturated(), .starved()])
  func `every kind of report comes back as it was`(report: Report) throws {
    for layout in [JSONWriter.Layout.compact, .pretty] {
      #expect(try Report(json: Array(report.json(layout: layout).utf8)) == report)
    }
  }

  @Test(arguments: 1...400)
  func `any report comes back as it was`(seed: UInt64) throws {
    let report = Report.random(seed: seed)
    for layout in [JSONWriter.Layout.compact, .pretty] {
      let text = report.json(layout: layout)
      #expect(try Report(json: Array(text.utf8)) == report, "seed \(seed)")
    }
  }

  @Test func `spans that are finer than the text come back rounded`() throws {
    var report = Report.full()
    report.time.duration = .nanoseconds(1_712_000_499)
    report.samples[0].cost = .nanoseconds(41_001)
    let read = try Report(json: Array(report.json().utf8))
    #expect(read.time.duration == .microseconds(1_712_000))
    #expect(read.samples[0].cost == .nanoseconds(41_001))
    #expect(read.json() == report.json())
  }

  @Test func `members that are not known are left alone, and what is not there is unknown`() throws {
    let read = try Report(
      json: Array(
        """
        {"schema": "stall-report/1", "later": {"deep": [1, {"x": null}]},
         "report_id": "0F6D1C3E9A5B4E0C8A61D1B0C2F4A7E9", "kind": "stall", "state": "ongoing",
         "app": {"name": "maild"}, "process": {"pid": 7},
         "loop": {"id": 1, "name": "main", "kind": "foreign", "thread": {"tid": 7}, "nesting": 1},
         "phase": {"name": "a phase of another loop's"},
         "time": {"start_unix_ns": "-1", "start_mono_ns": "5", "threshold_ms": 2.5e2, "duration_ms": 1712.0},
         "frames": [{"id": "leaf", "sym": "f", "later": 1}, {"id": "0"}], "stacks": [["leaf", "0"]],
         "samples": [{"t_ms": 1, "stack": 0, "weight_ms": 1e-3, "how": "scan"}],
         "monitor": {"version": "9"}}
        """.utf8))
    #expect(read.time.threshold == .milliseconds(250))
    #expect(read.time.startUnix.nanoseconds == -1)
    #expect(read.samples.map(\.weight) == [.microseconds(1)])
    #expect(read.stacks.stacks == [[0, 1]])
    #expect(read.phase.source == nil)
    #expect(read.sampling.rate == nil)
    #expect(read.cost == Report.Cost())
    #expect(read.threads.isEmpty)
  }

  @Test func `of equal entries of a table the first one is found again`() throws {
    let text = Report.full().json().replacing(#""frames":["#, with: #""frames":[{"id":"twin","sym":"t"},"#)
      .replacing(#""id":"f5""#, with: #""id":"f5"},{"id":"other","sym":"t"},{"id":"f6""#)
      .replacing(#""f5","f4""#, with: #""f6","f4""#)
    var read = try Report(json: Array(text.utf8))
    #expect(read.stacks.frames.count == 9)
    #expect(read.stacks.index(of: Report.Frame(symbol: "t")) == 0)
  }
}
