extension Report.Cost {
  /// The verdict and what it rests on: `busy: 98 % on the CPU`; `nil` without a verdict.
  var verdictText: String? {
    guard let verdict else { return nil }
    return evidence.map { "\(verdict.rawValue): \($0)" } ?? verdict.rawValue
  }

  private var evidence: String? {
    switch verdict {
    case .busy: share(cpu, "on the CPU")
    case .starved: share(runnable, "ready but not run")
    case .blocked: share(offCPU, waitText)
    case .mixed:
      [share(cpu, "on the CPU"), share(runnable, "ready but not run"), share(offCPU, waitText)]
        .compactMap(\.self).joined(separator: ", ")
    case nil: nil
    }
  }

  private func share(_ part: Duration?, _ words: String) -> String? {
    guard let part, let window, window > .zero else { return nil }
    return "\(part.percent(of: window)) % \(words)"
  }

  private var waitText: String {
    if let systemCall { return "waiting in \(systemCall.printable)" }
    if let waitChannel { return "waiting in the kernel's \(waitChannel.printable)" }
    return "waiting"
  }
}
