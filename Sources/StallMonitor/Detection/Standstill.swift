/// How long everything stood still before a look: time that is nobody's fault in the program.
///
/// A watcher that comes late has been kept from running. If it waited for a processor, the machine is busy, and what that
/// meant for the loop its own thread's times say. If it did not, it was stopped together with everything else: by a
/// signal, a debugger, a frozen control group, a suspended or stopped machine.
enum Standstill {
  /// Being late by less than this, ns, is the timer's and the scheduler's everyday business.
  static let grace: UInt64 = 10_000_000
  /// A thread that slept through all of it tells nothing; then it takes more to believe in a standstill.
  static let graceWithoutEvidence: UInt64 = 50_000_000

  /// - Parameters:
  ///   - unexplained: how long the watcher was kept from looking by anything else than other work of the processor's, ns.
  ///   - isStopped: whether it is known to have been stopped.
  ///   - rest: for how long it had meant to sleep, ns: a standstill may have begun so much before it was due.
  ///   - use: what the loop's thread did since the look before; nil if not known.
  /// - Returns: for how long before the look nothing could run, ns.
  static func length(
    unexplained: UInt64, isStopped: Bool = false, rest: UInt64 = 0, use: ThreadUse?
  ) -> UInt64 {
    guard unexplained > grace else { return 0 }
    guard let use, use.hasMoved else {
      return isStopped || unexplained > graceWithoutEvidence ? unexplained : 0
    }
    // While it ran, it was not stopped. What is left may also be its own sleep, unless it wanted to run; or time in line,
    // which is nobody's fault in the program either.
    return min(use.wantedToRun ? unexplained + rest : unexplained, use.window - min(use.window, use.cpu))
  }
}
