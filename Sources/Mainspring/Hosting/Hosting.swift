/// What a loop that is hosted knows of it. Only on the loop's thread.
@safe final class Hosting: @unchecked Sendable {
  // Sendable: it belongs to the loop's thread; others carry the reference to it alone.
  let mode: RunLoop.Mode
  let set: HostSet
  /// The loop lies down: whatever comes rings the descriptor, changes on the loop's own thread as well.
  @safe @exclusivity(unchecked) var isArmed = false
  /// A pass stands at its wait: beforeWaiting was told, and afterWaiting was not.
  @safe @exclusivity(unchecked) var isAtWait = false
  /// Whether entry was told.
  @safe @exclusivity(unchecked) var hasEntered = false
  /// Told to end; done when no turn is on.
  @safe @exclusivity(unchecked) var isOver = false
  /// The turns on the stack: a callout of one may run the host, which lets the loop have another.
  @safe @exclusivity(unchecked) var depth = 0
  /// The last turn ended for its length.
  @safe @exclusivity(unchecked) var hasMore = false

  init(mode: RunLoop.Mode, set: HostSet) {
    self.mode = mode
    self.set = set
  }

  /// Readable until it is over: a callout may run the host, which must not sleep over what the turn has yet to do. Anew,
  /// for one that waits for an edge and has had it.
  func beginTurn() {
    isArmed = false
    hasMore = false
    depth += 1
    set.ring()
  }
}

extension RunLoop {
  /// The loop's own thread changed something that it may have to be awake for earlier than its host knows: the next turn
  /// looks what it was.
  @inline(never)
  func noteChangeForHost() {
    guard let hosting, hosting.isArmed else { return }
    hosting.isArmed = false
    hosting.set.ring()
  }

  /// The same where it is not known yet whether there is a host.
  @inline(__always)
  func noteChangeForAnyHost() { if hosting != nil { noteChangeForHost() } }

  /// A run begins or ends. If it is not a turn it sleeps by itself, and no ring meant for it reaches the host; what it
  /// left is the next turn's.
  @inline(never)
  func noteRunForHost(_ run: Run) { if !run.isHosted { noteChangeForHost() } }

  /// Ends it: with afterWaiting, where a pass stands at its wait, and exit. Within a turn as soon as that is over.
  func endHosting(_ hosting: Hosting) {
    guard self.hosting === hosting else { return }
    hosting.isOver = true
    if hosting.depth == 0 { takeTurn(hosting) }
  }

  /// Lets the loop do what there is to do, up to where it would sleep.
  @discardableResult
  func takeTurn(_ hosting: Hosting) -> Guest.TurnResult {
    bell.rise()
    hosting.beginTurn()
    let result = run(in: hosting.mode, limit: nil, [.hosted, .waitsWhenEmpty], until: nil)
    hosting.depth -= 1
    if hosting.isOver, hosting.depth == 0 {
      if self.hosting === hosting { self.hosting = nil }
      hosting.set.retire()
      bell.rise()
      return .over
    }
    if result.reason == .stopped { return .stopped }
    guard hosting.hasMore else { return .idle }
    hosting.set.ring()
    return .more
  }
}
