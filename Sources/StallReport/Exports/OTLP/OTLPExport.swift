/// Logs in OpenTelemetry's JSON: a log record a report, those of one run of a program together.
struct OTLPExport {
  private let reports: [Report]

  init(_ reports: [Report]) { self.reports = reports }

  /// One line: that is what readers of files expect, and what a request's body may be.
  func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("resourceLogs") { json in
        json.array(of: groups) { json, group in
          json.object { json in
            json.member("resource") { json in
              json.object { json in json.member("attributes") { group[0].otlpResource.write(to: &$0) } }
            }
            json.member("scopeLogs") { json in json.array(of: [group], Self.writeScope) }
          }
        }
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// The reports by the resource they are of, in the order of each one's first.
  private var groups: [[Report]] {
    var groups: [[Report]] = []
    var indexOfResource: [String: Int] = [:]
    for report in reports {
      var json = JSONWriter()
      report.otlpResource.write(to: &json)
      if let known = indexOfResource[json.text] {
        groups[known].append(report)
      } else {
        indexOfResource[json.text] = groups.count
        groups.append([report])
      }
    }
    return groups
  }

  private static func writeScope(_ json: inout JSONWriter, _ group: [Report]) {
    json.object { json in
      json.member("scope") { json in
        json.object { json in
          json.member("name", "mainspring")
          json.member("version", group[0].monitor.version.exported)
        }
      }
      json.member("logRecords") { json in json.array(of: group) { $1.writeLogRecord(to: &$0) } }
    }
  }
}

extension Report {
  /// What the record is about: names of OpenTelemetry's conventions.
  fileprivate var otlpResource: OTLPAttributes {
    var attributes = OTLPAttributes()
    attributes.add("service.name", app.name.exported)
    attributes.add("service.version", app.version?.exported)
    attributes.add("service.instance.id", process.instance?.exported)
    attributes.add("deployment.environment.name", app.environment?.exported)
    attributes.add("vcs.ref.head.revision", app.commit?.exported)
    attributes.add("host.name", host.name?.exported)
    attributes.add("host.id", host.id?.exported)
    attributes.add("host.arch", host.arch.map { Self.otlpArchitectures[$0] ?? $0.exported })
    attributes.add("os.type", "linux")
    attributes.add("os.description", host.os?.exported)
    attributes.add("os.version", host.kernel?.exported)
    attributes.add("container.name", host.container?.exported)
    attributes.add("process.pid", process.pid)
    attributes.add("process.parent_pid", process.parent)
    attributes.add("process.creation.time", process.start.map { CivilTime($0).description })
    attributes.add("process.executable.build_id.gnu", app.buildID?.exported)
    attributes.add("process.runtime.name", app.swift.map { _ in "swift" })
    attributes.add("process.runtime.version", app.swift?.exported)
    return attributes
  }

  /// Its names for what the kernel calls otherwise.
  private static let otlpArchitectures = [
    "x86_64": "amd64", "aarch64": "arm64", "i686": "x86", "armv7l": "arm32",
  ]

  fileprivate func writeLogRecord(to json: inout JSONWriter) {
    let isSevere = time.duration >= Self.severeLength || state == .unrecovered
    json.object { json in
      json.member("timeUnixNano", String(max(0, time.startUnix.nanoseconds)))
      json.member("observedTimeUnixNano", String(max(0, knownEnd.nanoseconds)))
      json.member("severityNumber", isSevere ? 17 : 13)
      json.member("severityText", isSevere ? "ERROR" : "WARN")
      json.member("eventName", "runloop.stall")
      json.member("body") { OTLPValue.text(headline.exported).write(to: &$0) }
      json.member("attributes") { otlpAttributes.write(to: &$0) }
      json.memberIfKnown(
        "traceId", links.trace.flatMap { $0.isHexadecimal(digits: 32) ? $0.lowercased() : nil })
      json.memberIfKnown(
        "spanId", links.span.flatMap { $0.isHexadecimal(digits: 16) ? $0.lowercased() : nil })
    }
  }
}

extension String {
  /// Whether it is a number of so many digits, and not zero, which stands for none.
  func isHexadecimal(digits: Int) -> Bool {
    utf8.count == digits && utf8.contains { $0 != UInt8(ascii: "0") }
      && unicodeScalars.allSatisfy { $0.isASCII && Character($0).isHexDigit }
  }
}
