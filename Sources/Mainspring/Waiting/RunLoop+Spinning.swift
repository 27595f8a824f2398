import LinuxKernel

extension RunLoop {
  /// How long at most the loop looks for work before it sleeps; zero, as from the start, for not at all. Only on the
  /// loop's thread.
  ///
  /// A thread that sleeps takes some microseconds to come back, and where its processor has gone to sleep, too, some
  /// tens of them. A loop that looks whether work has come instead, for twenty or thirty microseconds, answers within
  /// one, and who sends to it needs no system call to wake it. That pays where two threads answer each other at once, or
  /// where work comes every few microseconds.
  ///
  /// It costs the processor's time while it looks. So it does only while that has paid lately: a loop whose looks find
  /// nothing soon tries but before one in a hundred sleeps, and one that nothing wakes spends nothing. Nor does it look
  /// where whoever sends shares its processor, and so is kept from running meanwhile.
  ///
  /// Blocks, messages, wakes and stops are found by looking. What descriptors have to tell may wait for the end of the
  /// look. Timers do not.
  ///
  /// ```swift
  /// import Mainspring
  ///
  /// let worker = try RunLoopThread(named: "worker") { $0.spinLimit = .microseconds(30) }
  /// worker.loop.perform(in: .default) { print("at work") }
  /// ```
  ///
  /// - Precondition: not below zero and not above a millisecond.
  public var spinLimit: Duration {
    get {
      requireOwnThread(to: "ask the spin limit of")
      return .nanoseconds(spinPolicy?.limit ?? 0)
    }
    set {
      requireOwnThread(to: "set the spin limit of")
      require(
        newValue >= .zero && newValue <= .milliseconds(1),
        "a loop may look for a millisecond at most before it sleeps, not for \(newValue)")
      let nanoseconds = UInt64(newValue.saturatingNanoseconds)
      spinPolicy = nanoseconds == 0 ? nil : SpinPolicy(limit: nanoseconds)
    }
  }

  /// Looks for work for a while, if that is wanted and pays; says whether the sleep can be left out, because there is
  /// some or the date has come.
  @inline(__always)
  func spin(until date: UInt64, _ view: ModeView) -> Bool {
    // What ends a wait as an alarm does not end a look.
    spinPolicy != nil && spinWhereItPays(until: min(date, nextWakeOfOtherClocks(view)))
  }

  @inline(never)
  private func spinWhereItPays(until date: UInt64) -> Bool {
    guard let limit = spinPolicy?.limit, spinPolicy?.isDue() ?? false else { return false }
    // Asked at trials alone: it is a system call, and where a thread may run hardly ever changes.
    if spinPolicy?.isTrial ?? false, !poller.runsBesideOthers {
      spinPolicy?.note(paid: false)
      return false
    }
    let now = poller.now()
    let end = min(date, now &+ limit)
    guard end > now else { return false }
    poller.spin(until: end) { seemsIdle }
    let hasWork = !seemsIdle
    spinPolicy?.note(paid: hasWork)
    return hasWork || end == date
  }

  /// The loop was woken.
  @inline(__always)
  func noteRing() {
    if spinPolicy != nil, poller.isHere(bell.ringer) { spinPolicy?.noteRingFromHere() }
  }

  /// By a glance: the sleeper looks again.
  @inline(__always)
  private var seemsIdle: Bool { inbox.seemsEmpty && !stops.isStopped && !isWakeRequested }
}
