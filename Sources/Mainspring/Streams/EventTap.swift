import LinuxKernel

/// The loop's end of an event stream: held by the item's handler alone, so that the stream ends when the handler is freed.
final class EventTap<Element: Sendable>: Sendable {
  private let continuation: AsyncStream<Element>.Continuation
  private let gate: EventGate

  /// A tap and its stream.
  ///
  /// - Parameters:
  ///   - policy: what the stream keeps where the gate does not see to that.
  ///   - room: how many events may be kept before the gate closes; nil for a gate that stays open.
  ///   - onTaken: called, on whatever thread, for each event that a task has taken.
  static func make(
    keeping policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded, room: Int? = nil,
    onTaken: (@Sendable () -> Void)? = nil
  ) -> (EventTap, RunLoop.EventStream<Element>) {
    let (elements, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let gate = EventGate(room: room, onTaken: onTaken)
    return (EventTap(continuation, gate), RunLoop.EventStream(elements, gate))
  }

  private init(_ continuation: AsyncStream<Element>.Continuation, _ gate: EventGate) {
    self.continuation = continuation
    self.gate = gate
  }

  deinit { continuation.finish() }

  /// The item whose handler has this tap: it goes with the stream.
  func serve(_ item: RunLoop.Item) {
    continuation.onTermination = { [weak item] _ in item?.invalidate() }
    gate.serve(item as? RunLoop.DescriptorSource)
  }

  func put(_ element: Element) {
    gate.noteKept()
    continuation.yield(element)
  }
}

/// Keeps a descriptor source from telling more than there is room for: it rests meanwhile, and the kernel keeps the rest.
final class EventGate: Sendable {
  private let room: Int?
  private let onTaken: (@Sendable () -> Void)?
  private let state = Locked(State())

  private struct State {
    var kept = 0
    var isClosed = false
    var interest = RunLoop.Readiness()
    weak var source: RunLoop.DescriptorSource?
  }

  init(room: Int?, onTaken: (@Sendable () -> Void)?) {
    self.room = room
    self.onTaken = onTaken
  }

  func serve(_ source: RunLoop.DescriptorSource?) {
    guard room != nil, let source else { return }
    state.withLock { $0.source = source }
  }

  /// On the loop's thread. The interest is set with the lock held, so that closing and opening cannot pass each other.
  func noteKept() {
    guard let room else { return }
    state.withLock { state in
      state.kept += 1
      guard state.kept >= room, !state.isClosed, let source = state.source else { return }
      state.isClosed = true
      state.interest = source.interest
      source.interest = []
    }
  }

  func noteTaken() {
    if room != nil { state.withLock { $0.kept -= 1 } }
    onTaken?()
  }

  /// Somebody waits for more: so whoever takes an event has dealt with it before the next is looked for.
  func openIfRoom() {
    guard let room else { return }
    state.withLock { state in
      guard state.isClosed, state.kept <= room / 2 else { return }
      state.isClosed = false
      state.source?.interest = state.interest
    }
  }
}
