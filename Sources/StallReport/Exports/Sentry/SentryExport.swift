/// Envelopes of Sentry's, one a report: a line of JSON, and two items, each behind a line that tells its length: the event,
/// and the whole report as an attachment of it.
///
/// Several envelopes stand one behind the other. As each item tells its length, they can be cut apart; senders take one
/// at a time.
enum SentryExport {
  static func encode(_ reports: [Report]) -> [UInt8] { reports.flatMap(envelope) }

  private static func envelope(of report: Report) -> [UInt8] {
    let event = SentryEvent(report).encoded()
    let whole = Array(report.json().utf8)
    var header = JSONWriter()
    header.object { json in
      json.member("event_id", report.id.description)
      json.member("sdk", SentryEvent.Client(version: report.monitor.version.exported))
    }
    var eventHeader = JSONWriter()
    eventHeader.object { json in
      json.member("type", "event")
      json.member("length", event.count)
      json.member("content_type", "application/json")
    }
    var wholeHeader = JSONWriter()
    wholeHeader.object { json in
      json.member("type", "attachment")
      json.member("length", whole.count)
      json.member("content_type", "application/json")
      json.member("filename", "stall-report.json")
      json.member("attachment_type", "event.attachment")
    }
    let lines = [header.bytes, eventHeader.bytes, event, wholeHeader.bytes, whole]
    return lines.flatMap { $0 + [UInt8(ascii: "\n")] }
  }
}
