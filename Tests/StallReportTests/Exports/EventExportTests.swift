import StallReport
import Testing

@Suite struct `Exports for collectors of events` {
  @Test func `OTLP has a log record a report, those of one process together`() throws {
    var later = Report.full()
    later.time.duration = .seconds(3)
    let logs = try #require(try object(.otlp, [.full(), .bare(), later])["resourceLogs"] as? [[String: Any]])
    let records = try logs.map { log in
      try #require((log["scopeLogs"] as? [[String: Any]])?.first?["logRecords"] as? [[String: Any]])
    }
    #expect(records.map(\.count) == [2, 1])
    #expect(records[0].map { $0["severityNumber"] as? Int } == [13, 17])
    let record = records[0][0]
    #expect(record["timeUnixNano"] as? String == "1790086400123000000")
    #expect(record["observedTimeUnixNano"] as? String == "1790086401835000000")
    #expect(record["traceId"] as? String == "5b8efff798038103d269b633813fc60c")
    #expect(record["spanId"] as? String == "eee19b7ec3c1b174")
    #expect(records[1][0]["traceId"] == nil)
    let attributes = attributes(record["attributes"])
    #expect(attributes["stall.culprit"] == "MailStore.reindex()")
    #expect(attributes["stall.duration_ms"] == "1712")
    #expect(attributes["thread.id"] == "4121")
    #expect(attributes["code.line.number"] == "88")
    #expect(attributes["stall.annotation.tenant"] == "blue")
    #expect(attributes["exception.stacktrace"]?.contains("MailStore.reindex() at MailStore.swift:88") == true)
    let resource = self.attributes((logs[0]["resource"] as? [String: Any])?["attributes"])
    #expect(resource["service.name"] == "maild")
    #expect(resource["host.arch"] == "amd64")
  }

  private func attributes(_ list: Any?) -> [String: String] {
    let pairs = (list as? [[String: Any]] ?? []).compactMap { entry -> (String, String)? in
      guard let key = entry["key"] as? String, let value = (entry["value"] as? [String: Any])?.values.first
      else { return nil }
      return (key, "\(value)")
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test func `a trace that is no number is left out`() throws {
    for trace in ["", "5b8e", String(repeating: "0", count: 32), String(repeating: "g", count: 32)] {
      var report = Report.full()
      (report.links.trace, report.links.span) = (trace, trace)
      let text = String(decoding: ExportFormat.otlp.encode([report]), as: UTF8.self)
      #expect(!text.contains("traceId") && !text.contains("spanId"), "\(trace)")
      let event = try ReadEnvelope.all(in: ExportFormat.sentry.encode([report]))[0].event
      #expect((event["contexts"] as? [String: Any])?["trace"] == nil)
    }
  }

  @Test func `Sentry has an event with the culprit's stack, oldest frame first, and the report attached`()
    throws
  {
    let envelopes = try ReadEnvelope.all(in: ExportFormat.sentry.encode([.full(), .bare()]))
    #expect(envelopes.count == 2)
    let envelope = envelopes[0]
    #expect(envelope.header["event_id"] as? String == "0f6d1c3e9a5b4e0c8a61d1b0c2f4a7e9")
    #expect(envelope.items.map { $0.header["type"] as? String } == ["event", "attachment"])
    #expect(String(decoding: envelope.items[1].payload, as: UTF8.self) == Report.full().json())
    let event = try envelope.event
    #expect(event["timestamp"] as? String == "2026-09-22T14:13:20.123Z")
    #expect(event["release"] as? String == "maild@2.3.1+1842")
    #expect(event["fingerprint"] as? [String] == ["stall-v1", "03a3b7c7"])
    let exception = try #require(values(event["exception"]).first)
    #expect(exception["type"] as? String == "Stall busy")
    #expect((exception["mechanism"] as? [String: Any])?["synthetic"] as? Bool == true)
    let frames = try #require((exception["stacktrace"] as? [String: Any])?["frames"] as? [[String: Any]])
    #expect(frames.map { $0["function"] as? String }.first == "main")
    let culprit = try #require(frames.first { $0["vars"] != nil })
    #expect(culprit["function"] as? String == "MailStore.reindex()")
    #expect(culprit["instruction_addr"] as? String == "0x5628662e20f4")
    #expect(values(event["threads"]).map { $0["stacktrace"] == nil } == [true, true])
    #expect(values(event["threads"])[1]["held_locks"] != nil)
    let image = try #require(values(event["debug_meta"], "images").first)
    #expect(image["debug_id"] as? String == "0000ac93-0000-0000-0000-000000000000")
  }

  private func values(_ value: Any?, _ key: String = "values") -> [[String: Any]] {
    (value as? [String: Any])?[key] as? [[String: Any]] ?? []
  }
}
