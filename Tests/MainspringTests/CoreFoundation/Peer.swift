import Mainspring
import Testing

/// A run loop that is asked what both have: this one on virtual time, or CFRunLoop in real time.
///
/// Modes are told by name; "default" and "common" are each loop's own. Used on one thread, but where a method says
/// otherwise.
protocol Peer: AnyObject, Sendable {
  func observe(
    _ activities: RunLoop.Activity, repeats: Bool, order: Int, in modes: [String],
    _ body: @escaping @Sendable (RunLoop.Activity) -> Void
  ) -> any PeerItem
  func addSource(
    order: Int, in modes: [String], onCancel: (@Sendable () -> Void)?,
    _ perform: @escaping @Sendable () -> Void
  ) -> any PeerItem
  /// - Parameters:
  ///   - delay: counted from the making of the peer, so that what comes between two calls changes no order.
  ///   - interval: nil fires once.
  func addTimer(
    after delay: Duration, every interval: Duration?, in modes: [String],
    _ handler: @escaping @Sendable () -> Void
  ) -> any PeerItem

  /// Any thread.
  func perform(in modes: [String], _ block: @escaping @Sendable () -> Void)
  /// Any thread.
  func stop()
  /// How the run ended, in this loop's words.
  @discardableResult
  func run(in mode: String, for limit: Duration?, returning: Bool) -> String
  /// Runs in the default mode until it is stopped or finished.
  @discardableResult
  func run() -> String

  func addCommonMode(_ mode: String)
  var currentMode: String? { get }
  var modes: [String] { get }

  /// Lets time pass.
  func spend(_ duration: Duration)

  /// Invalidates all that was made, so that nothing goes on keeping itself alive.
  func end()
}

/// A source, a timer or an observer of a peer.
protocol PeerItem: AnyObject, Sendable {
  /// Of a source.
  func signal()
  /// Any thread.
  func invalidate()
  var isValid: Bool { get }
  func add(to mode: String)
  func remove(from mode: String)
  func isMember(of mode: String) -> Bool
  /// Of a timer: whole seconds until it is due, rounded; nil if it has no date.
  var secondsUntilDue: Int? { get }
  /// Of a timer.
  func setDate(after delay: Duration)
}

extension Peer {
  @discardableResult
  func observe(
    _ activities: RunLoop.Activity, repeats: Bool = true, order: Int = 0, in mode: String = "m",
    _ body: @escaping @Sendable (RunLoop.Activity) -> Void
  ) -> any PeerItem { observe(activities, repeats: repeats, order: order, in: [mode], body) }

  @discardableResult
  func addSource(
    order: Int = 0, in mode: String = "m", _ perform: @escaping @Sendable () -> Void
  ) -> any PeerItem { addSource(order: order, in: [mode], onCancel: nil, perform) }

  @discardableResult
  func addTimer(
    after delay: Duration = .zero, every interval: Duration? = nil, in mode: String = "m",
    _ handler: @escaping @Sendable () -> Void
  ) -> any PeerItem { addTimer(after: delay, every: interval, in: [mode], handler) }

  func perform(in mode: String = "m", _ block: @escaping @Sendable () -> Void) { perform(in: [mode], block) }

  /// One pass that does not sleep.
  @discardableResult
  func turn(in mode: String = "m", returning: Bool = false) -> String {
    run(in: mode, for: .zero, returning: returning)
  }

  /// Something that never happens, so that a mode is not empty.
  func keepAlive(_ mode: String = "m") { addTimer(after: .seconds(1_000_000), in: mode) {} }
}

/// Asks both loops the same, and expects the same answer of both: what was recorded, in order.
///
/// CFRunLoop is asked on a thread of its own, whose loop nobody else has used.
func expectBoth(
  _ answer: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ question: @escaping @Sendable (any Peer, Record<String>) -> Void
) {
  let (ours, theirs) = (Record<String>(), Record<String>())
  for (peer, seen) in [(MainspringPeer.init, ours), (CoreFoundationPeer.init, theirs)]
    as [(@Sendable () -> any Peer, Record<String>)]
  {
    TestThread {
      let peer = peer()
      question(peer, seen)
      peer.end()
    }.join()
  }
  #expect(ours.all.joined(separator: " ") == answer, "this loop", sourceLocation: sourceLocation)
  #expect(theirs.all.joined(separator: " ") == answer, "CFRunLoop", sourceLocation: sourceLocation)
}
