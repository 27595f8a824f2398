import Foundation
import StallReport
import Testing

@Suite struct `Schema stall-report 1` {
  @Test(arguments: [JSONWriter.Layout.compact, .pretty])
  func `a full report has exactly the example's keys and types`(layout: JSONWriter.Layout) throws {
    let found = try paths(of: Report.full().json(layout: layout))
    #expect(Set(found.keys).symmetricDifference(schemaExample.keys) == [])
    for (path, types) in schemaExample where types != ["null"] {
      // A frame that is inlined nowhere and a thread without a stack are null in the example as well.
      let known = found[path, default: []].subtracting(["null"])
      #expect(known == types.subtracting(["null"]), "\(path)")
    }
  }

  @Test func `a bare report has every key of the fixed parts and null for the unknown`() throws {
    let found = try paths(of: Report.bare().json())
    let fixed = schemaExample.keys.filter { !$0.contains("[]") && !$0.contains("cgroup.") }
    // What the program or the monitor may put there, and what is null as a whole.
    let open = ["annotations.", "passes.hist_ms.", "phase.item.", "fingerprint."]
    let expected = fixed.filter { path in !open.contains { path.hasPrefix($0) } }
    #expect(Set(found.keys) == Set(expected))
    #expect(found["cost.class"] == ["null"])
    #expect(found["time.end_mono_ns"] == ["null"])
    #expect(found["process.uptime_ms"] == ["null"])
    #expect(found["samples"] == ["array"])
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

  private func paths(of text: String) throws -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    func walk(_ path: String, _ value: Any) {
      if !path.isEmpty { found[path, default: []].insert(typeName(value)) }
      for (key, member) in value as? [String: Any] ?? [:] {
        walk(path.isEmpty ? key : "\(path).\(key)", member)
      }
      for element in value as? [Any] ?? [] { walk("\(path)[]", element) }
    }
    walk("", try object(text))
    return found
  }

  private func typeName(_ value: Any) -> String {
    switch value {
    case is NSNull: "null"
    case is [Any]: "array"
    case is [String: Any]: "object"
    case is String: "string"
    // SAFETY: objCType is a string that ends in zero and lives as long as the program.
    case let number as NSNumber: unsafe number.objCType.pointee == 0x63 ? "bool" : "number"
    default: "?"
    }
  }
}
