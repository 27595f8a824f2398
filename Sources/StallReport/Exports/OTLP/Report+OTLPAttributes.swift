extension Report {
  /// What a log record tells of the stall: OpenTelemetry's names where it has some, `stall.…` else.
  var otlpAttributes: OTLPAttributes {
    var attributes = OTLPAttributes()
    let stack = representativeStack
    attributes.add("log.record.uid", id.description)
    attributes.add("exception.type", "Stall \((cost.verdict?.rawValue ?? kind.rawValue))")
    attributes.add("exception.message", headline.exported)
    attributes.add("exception.stacktrace", stack.isEmpty ? nil : stackText(ofFrames: stack))
    attributes.add("thread.id", loop.thread.tid)
    attributes.add("thread.name", loop.thread.name?.exported)
    if let frame = culpritFrame {
      attributes.add("code.function.name", exportedName(ofFrame: frame))
      attributes.add("code.file.path", stacks.frames[frame].location?.file.exported)
      attributes.add("code.line.number", stacks.frames[frame].location?.line)
    }
    addOTLPFacts(to: &attributes)
    addOTLPTimes(to: &attributes)
    addOTLPEvidence(to: &attributes)
    return attributes
  }

  private func addOTLPFacts(to attributes: inout OTLPAttributes) {
    let issue = fingerprint ?? Fingerprint(of: self)
    attributes.add("stall.kind", kind.rawValue)
    attributes.add("stall.state", state.rawValue)
    attributes.add("stall.class", cost.verdict?.rawValue)
    attributes.add("stall.title", issue.title.exported)
    attributes.add("stall.issue", issue.level1)
    attributes.add("stall.variant", issue.hash)
    attributes.add("stall.culprit", culpritName)
    attributes.add("stall.loop.name", loop.name.exported)
    attributes.add("stall.loop.kind", loop.kind.rawValue)
    attributes.add("stall.loop.mode", loop.mode?.exported)
    attributes.add("stall.loop.nesting", loop.nesting)
    attributes.add("stall.phase", phase.name.rawValue.exported)
    attributes.add("stall.item.kind", phase.item?.kind.exported)
    attributes.add("stall.item.symbol", phase.item?.symbol?.exported)
    attributes.add("stall.item.made_at", phase.item?.madeAt?.description.exported)
    attributes.add("stall.shape", shape.verdict?.rawValue)
    attributes.add("stall.items", shape.itemsInPass)
    attributes.add("stall.syscall", cost.systemCall?.exported)
    attributes.add("stall.wait_channel", cost.waitChannel?.exported)
    attributes.add("stall.flags", confidence.flags.map(\.exported))
    attributes.add("stall.suppressed", sampling.suppressedSinceLast)
    attributes.add("stall.sampling_rate", decimal: sampling.rate)
  }

  private func addOTLPTimes(to attributes: inout OTLPAttributes) {
    attributes.add("stall.duration_ms", milliseconds: time.duration)
    attributes.add("stall.threshold_ms", milliseconds: time.threshold)
    attributes.add("stall.excluded_ms", milliseconds: time.excluded)
    attributes.add("stall.detected_after_ms", milliseconds: time.detectedAfter)
    attributes.add("stall.item.late_ms", milliseconds: phase.item?.late)
    attributes.add("stall.cpu_ms", milliseconds: cost.cpu)
    attributes.add("stall.runnable_ms", milliseconds: cost.runnable)
    attributes.add("stall.offcpu_ms", milliseconds: cost.offCPU)
    attributes.add("stall.pressure.cpu", decimal: cost.cpuPressure)
    attributes.add("stall.pressure.io", decimal: cost.ioPressure)
    attributes.add("stall.pressure.memory", decimal: cost.memoryPressure)
  }

  /// All stacks with their times, whence they come, who waits for whom, and what the program had said.
  private func addOTLPEvidence(to attributes: inout OTLPAttributes) {
    attributes.add("stall.stacks", CollapsedExport.lines([self]))
    attributes.add(
      "stall.images",
      stacks.images.map { image in
        "\(image.name.exported) \(image.buildID?.exported ?? "-") \(Hexadecimal.address(image.base))"
      })
    attributes.add(
      "stall.waits",
      waits.edges.map { edge in
        "\(Self.exportedName(of: threadName(edge.waiter))) waits "
          + "for \(targetText(waiter: edge.waiter, holder: edge.owner).exported)"
      })
    for (key, value) in annotations.sorted(by: { $0.key < $1.key }) {
      attributes.add("stall.annotation.\(key.exported)", value.exported)
    }
    attributes.add(
      "stall.breadcrumbs",
      breadcrumbs.map { note in
        "\(note.time.millisecondsClamped) ms \(note.category.exported): \(note.message.exported)"
      })
  }
}
