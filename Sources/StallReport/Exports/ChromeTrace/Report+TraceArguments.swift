extension Report {
  /// What the slice of the stall tells when it is clicked.
  var traceArguments: [(String, TraceEvent.Argument?)] {
    let fixed: [(String, TraceEvent.Argument?)] = [
      ("headline", .text(headline)), ("report", .text(id.description)), ("state", .text(state.rawValue)),
      ("issue", .text(fingerprint?.level1 ?? Fingerprint(of: self).level1)),
      ("culprit", culpritName.map { .text($0) }), ("loop", .text(loop.name)),
      ("phase", .text(phase.name.rawValue)), ("made_at", phase.item?.madeAt.map { .text($0.description) }),
      ("threshold_ms", .time(time.threshold)), ("excluded_ms", time.excluded.map { .time($0) }),
      ("syscall", cost.systemCall.map { .text($0) }), ("wait_channel", cost.waitChannel.map { .text($0) }),
      ("waits", waitText.map { .text($0) }), ("host", host.name.map { .text($0) }),
      ("version", app.version.map { .text($0) }),
    ]
    return fixed + annotations.sorted { $0.key < $1.key }.map { ("note \($0.key.exported)", .text($0.value)) }
  }
}
