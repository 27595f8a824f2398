extension SentryEvent {
  func writeContexts(to json: inout JSONWriter) {
    json.member("os") { $0.object(writeSystem) }
    json.member("device") { $0.object(writeDevice) }
    json.member("app") { $0.object(writeApplication) }
    if let swift = report.app.swift {
      json.member("runtime") { json in
        json.object { json in
          json.member("name", "Swift")
          json.member("version", swift.exported)
        }
      }
    }
    if let trace = report.links.trace, trace.isHexadecimal(digits: 32), let span = report.links.span,
      span.isHexadecimal(digits: 16)
    {
      json.member("trace") { json in
        json.object { json in
          json.member("trace_id", trace.lowercased())
          json.member("span_id", span.lowercased())
        }
      }
    }
    json.member("stall") { $0.object(writeStall) }
    guard !report.annotations.isEmpty else { return }
    json.member("annotations") { json in
      json.object { json in
        for (key, value) in report.annotations.sorted(by: { $0.key < $1.key }) where key != "type" {
          json.member(key.exported, value.exported)
        }
      }
    }
  }

  private func writeSystem(to json: inout JSONWriter) {
    json.member("name", "Linux")
    json.memberIfKnown("version", report.host.kernel?.exported)
    json.memberIfKnown("kernel_version", report.host.kernel?.exported)
    json.memberIfKnown("raw_description", report.host.os?.exported)
  }

  private func writeDevice(to json: inout JSONWriter) {
    json.memberIfKnown("arch", report.host.arch?.exported)
    json.memberIfKnown("name", report.host.name?.exported)
    json.memberIfKnown("model", report.device.model?.exported)
    json.memberIfKnown("processor_count", report.host.cpus)
    json.memberIfKnown("memory_size", report.host.memoryTotal)
    json.memberIfKnown("simulator", report.device.isVirtualized)
  }

  private func writeApplication(to json: inout JSONWriter) {
    json.member("app_name", report.app.name.exported)
    json.memberIfKnown("app_version", report.app.version?.exported)
    json.memberIfKnown("app_build", report.app.build?.exported)
    json.memberIfKnown("app_start_time", report.process.start.map { CivilTime($0).description })
    json.memberIfKnown("app_memory", report.process.residentBytes)
  }

  /// What Sentry has no place of its own for.
  private func writeStall(to json: inout JSONWriter) {
    json.member("title", issue.title.exported)
    json.member("duration_ms", milliseconds: report.time.duration)
    json.member("threshold_ms", milliseconds: report.time.threshold)
    if let excluded = report.time.excluded { json.member("excluded_ms", milliseconds: excluded) }
    if let cpu = report.cost.cpu { json.member("cpu_ms", milliseconds: cpu) }
    if let runnable = report.cost.runnable { json.member("runnable_ms", milliseconds: runnable) }
    if let offCPU = report.cost.offCPU { json.member("offcpu_ms", milliseconds: offCPU) }
    json.memberIfKnown("class", report.cost.verdict)
    json.memberIfKnown("callout", report.phase.item?.madeAt?.description.exported)
    json.memberIfKnown("waits", report.waitText?.exported)
    if culprit != nil { json.member("culprit_share", number: report.culprit.share) }
    json.memberIfKnown("items", report.shape.itemsInPass)
    json.memberIfKnown("suppressed", report.sampling.suppressedSinceLast)
    if !report.confidence.flags.isEmpty { json.member("flags", report.confidence.flags.map(\.exported)) }
    let edges = report.waits.edges.map { edge in
      "\(edge.waiter) waits for \(report.targetText(waiter: edge.waiter, holder: edge.owner).exported)"
    }
    if !edges.isEmpty { json.member("edges", edges) }
    json.member("heavy", report.text(view: .heavy).split(separator: "\n").map { String($0).exported })
  }
}
