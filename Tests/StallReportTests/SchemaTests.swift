import Foundation
import StallReport
import Testing

@Suite struct `Schema stall-report 1` {
  @Test(arguments: [JSONWriter.Layout.compact, .pretty])
  func `a full report has exactly the example's keys and types`(layout: JSONWriter.Layout) throws {
    let found = try paths(ofJSON: Array(Report.full().json(layout: layout).utf8))
    let schemaExample = try paths(ofJSON: ExampleFile.bytes())
    #expect(Set(found.keys).symmetricDifference(schemaExample.keys) == [])
    for (path, types) in schemaExample where types != ["null"] {
      // A frame that is inlined nowhere and a thread without a stack are null in the example as well.
      let known = found[path, default: []].subtracting(["null"])
      #expect(known == types.subtracting(["null"]), "\(path)")
    }
  }

  @Test func `a bare report has every key of the fixed parts and null for the unknown`() throws {
    let found = try paths(ofJSON: Array(Report.bare().json().utf8))
    let example = try paths(ofJSON: ExampleFile.bytes())
    let fixed = example.keys.filter { !$0.contains("[]") && !$0.contains("cgroup.") }
    // What the program or the monitor may put there, and what is null as a whole.
    let open = ["annotations.", "passes.hist_ms.", "phase.item.", "fingerprint."]
    let expected = fixed.filter { path in !open.contains { path.hasPrefix($0) } }
    #expect(Set(found.keys) == Set(expected))
    #expect(found["cost.class"] == ["null"])
    #expect(found["time.end_mono_ns"] == ["null"])
    #expect(found["process.uptime_ms"] == ["null"])
    #expect(found["samples"] == ["array"])
  }

  @Test func `every member of the example is on the page about the format`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Docs/ReportFormat.md").standardizedFileURL
    let text = try String(contentsOf: page, encoding: .utf8)
    // Their keys are the program's, the processor's, or numbers.
    let open = ["annotations.", "threads[].registers.", "passes.hist_ms."]
    let paths = try paths(ofJSON: ExampleFile.bytes())
    for (path, types) in paths where types != ["object"] && !open.contains(where: path.hasPrefix) {
      let name = (path.split(separator: ".").last.map(String.init) ?? path).replacing("[]", with: "")
      #expect(text.contains("\(name)`") || text.contains("\(name)[]`"), "\(path)")
    }
  }

  @Test func `stacks refer to frames by name, leaf first`() throws {
    let report = try object(Report.full().json())
    let frames = try #require(report["frames"] as? [[String: Any]])
    #expect(frames.map { $0["id"] as? String } == ["f0", "f1", "f2", "f3", "f4", "f5"])
    #expect(
      report["stacks"] as? [[String]] == [
        ["f5", "f4", "f3", "f2", "f1", "f0"], ["f4", "f3", "f2", "f1", "f0"], ["f3", "f2", "f1", "f0"],
      ])
    #expect(frames[2]["kind"] as? String == "phase:timer")
    #expect((report["fingerprint"] as? [String: Any])?["culprit"] as? String == "f3")
  }

  @Test func `nanoseconds are strings`() throws {
    let time = try #require(try object(Report.full().json())["time"] as? [String: Any])
    #expect(time["start_unix_ns"] as? String == "1790086400123000000")
    #expect(time["duration_ms"] as? Int == 1712)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
