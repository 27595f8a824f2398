import LinuxKernel

/// Something that has to be on the stack while a loop runs: the run of another loop, which is to be in the middle of a pass
/// of its own meanwhile.
package protocol RunEnclosure: AnyObject {
  /// Calls `body`, once, before it returns.
  func enclose(_ body: () -> Void)
}

extension RunLoop {
  /// Puts something round the loop's outermost runs, from the next one on; nil for nothing. Only on the loop's thread, and
  /// outside runs: what is on the stack already can have nothing put round it.
  package func encloseRuns(in enclosure: (any RunEnclosure)?) {
    require(enclosure == nil || !isInRun, "nothing can be put round runs of the loop while one is on")
    self.enclosure = enclosure
  }

  /// The passes of a run that is a turn, or of a loop that has something put round its runs: round the outermost.
  @inline(never)
  func passesInCompany(
    of run: Run, _ view: ModeView, after kept: StopWord.Stops
  ) -> RunResult.Reason {
    if run.isHosted { return hostedPasses(of: run, view, after: kept) }
    guard runDepth == 1, enclosure != nil else { return passes(of: run, view, after: kept) }
    var reason: RunResult.Reason?
    enclosure?.enclose { reason = passes(of: run, view, after: kept) }
    guard let reason else { trap("what was to enclose a run did not call it") }
    return reason
  }
}
