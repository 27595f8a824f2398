/// The protocol by which a loop goes to sleep, others wake it, and its end closes the bell.
///
/// - A poster puts its entry into the inbox, whose lock is a full barrier, and then calls `ringIfAsleep`.
/// - The sleeper announces its sleep and looks at the inbox once more before it waits. Each side writes
///   before it reads, so at least one sees the other: nothing posted is slept over. Of the posters that
///   find the loop asleep, the one that swaps the word rings, so a burst costs one system call.
/// - The door counts the posters that are about to use the descriptor. The end shuts it; the descriptor
///   is closed by whoever is last in or behind it, exactly once, so that a poster that was held up between
///   its swap and its write never writes into a number that belongs to somebody else by then.
///
/// `SleepProtocolTests` runs all interleavings of this code, with stores that are seen late.
extension BellMachine where Self: ~Copyable {
  /// Sleeps, unless `look` finds something to do after the sleep was announced.
  ///
  /// - Returns: nil if `look` found something; otherwise what `wait` gave, and whether a poster rang.
  @inline(__always)
  package func sleep<Outcome>(
    as code: SleepCode,
    unless look: () throws(Halt) -> Bool,
    wait: () throws(Halt) -> Outcome
  ) throws(Halt) -> (outcome: Outcome, rung: Bool)? {
    guard try lieDown(as: code, unless: look) else { return nil }
    let outcome = try wait()
    let rung = try load(.sleep, .noticeRing) == SleepCode.awake.rawValue
    try rise()
    return (outcome, rung)
  }

  /// Announces a sleep, unless `look` finds something to do after that; says whether the sleep holds.
  ///
  /// A loop that runs itself waits next. One that is hosted returns to its host, which waits for the descriptor; it took
  /// the descriptor's earlier rings before it called this, so that one that comes from here on is seen.
  @inline(__always)
  package func lieDown(as code: SleepCode, unless look: () throws(Halt) -> Bool) throws(Halt) -> Bool {
    _ = try exchange(.sleep, with: code.rawValue, .announceSleep)
    guard try look() else { return true }
    try rise()
    return false
  }

  /// The loop is up. No barrier: a poster that still sees it asleep rings once for nothing.
  @inline(__always)
  package func rise() throws(Halt) { try store(SleepCode.awake.rawValue, in: .sleep, .rise) }

  /// Wakes the loop if it sleeps in one of the modes. Called after what is posted can be seen.
  @inline(__always)
  package func ringIfAsleep(in modes: ModeMask) throws(Halt) {
    let code = SleepCode(rawValue: try load(.sleep, .glance))
    if code.isConcerned(by: modes) { try ring(asSeen: code) }
  }

  @inline(never)
  private func ring(asSeen code: SleepCode) throws(Halt) {
    // Lost to another poster, or the loop woke by itself: either way it looks before it sleeps again.
    guard try compareExchange(.sleep, code.rawValue, SleepCode.awake.rawValue, .claim) else { return }
    guard code.usesDescriptor else { return try wakeSleeper(.wake) }
    let before = try add(1, to: .door, .enterDoor)
    if before & Door.shutOrRetired == 0 { try writeDescriptor(.ring) }
    try leaveDoor()
  }

  private func leaveDoor() throws(Halt) {
    let before = try add(0 &- 1, to: .door, .leaveDoor)
    guard before == Door.shut | 1 else { return }
    if try compareExchange(.door, Door.shut, Door.retired, .retireAsLast) {
      try closeDescriptor(.closeAsLast)
    }
  }

  /// The end of the loop: nobody rings from here on, and the descriptor is closed as soon as nobody can
  /// still be using it. Called once, after the inbox was closed.
  package func shutDoor() throws(Halt) {
    let before = try add(Door.shut, to: .door, .shutDoor)
    precondition(before & Door.shutOrRetired == 0, "the bell was closed before")
    guard before == 0 else { return }
    if try compareExchange(.door, Door.shut, Door.retired, .retireAtEnd) {
      try closeDescriptor(.closeAtEnd)
    }
  }
}

/// The door word: how many posters are inside, and whether it is shut.
private enum Door {
  static let shut: UInt32 = 1 << 31
  static let retired: UInt32 = 1 << 30
  static let shutOrRetired = shut | retired
}
