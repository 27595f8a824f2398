import LinuxKernel
import Synchronization

extension RunLoop {
  /// A file descriptor that wakes the loop when it is ready.
  ///
  /// Level-triggered unless asked otherwise: the handler is called in every pass while the descriptor is ready.
  /// The loop never reads or writes the user's data and never closes the descriptor. Readiness is as of the
  /// loop's look: read without blocking. Close the descriptor only after the source was invalidated or removed.
  ///
  /// An error or a hang-up without any readiness that was asked for is reported once and then rests until the
  /// interest is set again, so that a dead peer cannot make the loop spin.
  ///
  /// `SignalSource`, `ChildExit` and `FileChanges` are ready-made ones: they own their descriptor, read it for their
  /// handler, and close it.
  public class DescriptorSource: Item, @unchecked Sendable {
    // Sendable: as `Item`; the handler, `depth` and `state` belong to the loop's thread.
    private final let traits: Traits
    @safe @exclusivity(unchecked) private final var state: State = []
    private final let interestWord: Atomic<UInt8>
    /// Callouts that are on: a nested run may call a source again, within its own callout.
    @safe @exclusivity(unchecked) private final var depth: UInt16 = 0
    /// The descriptor's number.
    public final let descriptor: CInt
    @safe @exclusivity(unchecked) private final var handler: DescriptorHandler

    /// What it was made with, in a byte.
    private struct Traits: OptionSet {
      let rawValue: UInt8
      static let edgeTriggered = Traits(rawValue: 1)
      static let exclusive = Traits(rawValue: 2)
      static let mayBeFile = Traits(rawValue: 4)
      static let ownsDescriptor = Traits(rawValue: 8)
    }

    /// What becomes of it, in a byte.
    private struct State: OptionSet {
      let rawValue: UInt8
      static let resting = State(rawValue: 1)
      static let foundNothing = State(rawValue: 2)
    }

    final var trigger: Trigger { traits.contains(.edgeTriggered) ? .edge : .level }
    final var isExclusive: Bool { traits.contains(.exclusive) }
    final var files: FilePolicy { traits.contains(.mayBeFile) ? .alwaysReady : .refuse }
    /// Whether it reads and closes the descriptor itself.
    final var ownsDescriptor: Bool { traits.contains(.ownsDescriptor) }

    /// Whether it has left the wait set until its interest is set.
    final var isResting: Bool {
      get { state.contains(.resting) }
      set { if newValue { state.insert(.resting) } else { state.remove(.resting) } }
    }

    /// Whether the callout that returned last called no handler: somebody else had taken what there was.
    private final var foundNothing: Bool {
      get { state.contains(.foundNothing) }
      set { if newValue { state.insert(.foundNothing) } else { state.remove(.foundNothing) } }
    }

    /// Why the source was told `.error` though its descriptor has none: the kernel could not wait for it, for want of a
    /// descriptor or of memory. It rests until its interest is set, which tries again. Only on the loop's thread.
    public final internal(set) var failure: DescriptorError? {
      get { hasExtras ? (extras as? Extras)?.failure : nil }
      set { if hasExtras || newValue != nil { (extras as? Extras)?.failure = newValue } }
    }

    private final class Extras: ItemExtras, @unchecked Sendable {
      // Sendable: as `ItemExtras`; the failure belongs to the loop's thread.
      @safe @exclusivity(unchecked) var failure: DescriptorError?
    }

    override func makeExtras() -> ItemExtras { Extras() }

    /// When readiness is reported.
    public enum Trigger: Sendable {
      /// In every pass while it lasts.
      case level
      /// Once when it comes; read or write until the call would block, or the rest is never reported.
      case edge
    }

    /// What to do with regular files and folders, which epoll refuses.
    public enum FilePolicy: Sendable {
      /// Adding one throws `.notPollable`.
      case refuse
      /// They are ready in every pass, so that a program works the same with `< file`.
      case alwaysReady
    }

    /// A source that watches a descriptor and leaves what is read and written to its handler.
    ///
    /// - Parameters:
    ///   - descriptor: stays the caller's, who closes it.
    ///   - interest: of `.read`, `.write` and `.priority`; may be changed at any time, also in the handler.
    ///   - exclusive: where several processes wait for the same descriptor, wakes only one or some of them. Has no effect
    ///     together with an interest in `.priority`, or with a source on the descriptor that is not exclusive.
    ///   - order: smaller numbers are served first within what one look found ready.
    ///   - handler: called on the loop's thread with what the descriptor is ready for.
    public init(
      _ descriptor: CInt, interest: Readiness = .read, trigger: Trigger = .level, exclusive: Bool = false,
      files: FilePolicy = .refuse, order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (DescriptorSource, Readiness) -> Void
    ) {
      self.descriptor = descriptor
      var traits: Traits = trigger == .edge ? .edgeTriggered : []
      if exclusive { traits.insert(.exclusive) }
      if files == .alwaysReady { traits.insert(.mayBeFile) }
      self.traits = traits
      interestWord = Atomic(interest.intersection(.askable).rawValue)
      self.handler = DescriptorHandler(handler)
      super.init(order: order, site: CallSite(file, line))
    }

    /// A source that owns its descriptor.
    ///
    /// - Parameter tell: holds the descriptor, which is closed when this closure is freed: once no wait set has it any
    ///   more and the last callout is over, or with the source. Calls the user's handler; says whether it did.
    init(
      owning descriptor: CInt, order: Int, site: CallSite,
      tell: @escaping @Sendable (DescriptorSource) -> Bool
    ) {
      self.descriptor = descriptor
      traits = .ownsDescriptor
      interestWord = Atomic(Readiness.read.rawValue)
      handler = DescriptorHandler { source, _ in
        let hasTold = tell(source)
        source.foundNothing = !hasTold
      }
      super.init(order: order, site: site)
    }

    /// What the handler is to be called for. With none the descriptor leaves the kernel's set. Any thread: at
    /// once on the loop's own, at the next boundary from others.
    public final var interest: Readiness {
      get { Readiness(rawValue: interestWord.load(ordering: .acquiring)) }
      set {
        interestWord.store(newValue.intersection(.askable).rawValue, ordering: .releasing)
        guard let loop else { return }
        if loop.isOnOwnThread {
          interestChanged(on: loop)
        } else {
          loop.send(concerning: mask) { if !$0.hasEnded { self.interestChanged(on: $0) } }
        }
      }
    }

    private final func interestChanged(on loop: RunLoop) {
      isResting = false
      failure = nil
      loop.forEachWaitSet(of: self) { $0.refresh(self) }
      loop.noteChangeForAnyHost()
    }

    /// What of the found readiness concerns this source. One that rests or wants nothing has left the wait set,
    /// though another's registration may have found something on the same descriptor.
    @inline(__always)
    final func relevant(_ found: Readiness) -> Readiness {
      let interest = interest
      if state.contains(.resting) || interest.isEmpty {
        // Of its end it hears all the same, and of why it came to rest.
        return found.intersection(failure == nil ? .closed : [.closed, .error])
      }
      return found.intersection(interest.union([.error, .hangUp, .closed]))
    }

    /// Says whether the user's handler was called.
    final func callOut(_ readiness: Readiness) -> Bool {
      depth += 1
      handler(self, readiness)
      depth -= 1
      let hasTold = !foundNothing
      foundNothing = false
      if readiness.contains(.closed) { invalidate() }
      if depth == 0 { calloutEnded() }
      return hasTold
    }

    /// For a handler that has only noted what was found: its call does not count as a handled source.
    final func noteUntold() { foundNothing = true }

    /// The bits to register, none while it rests or wants nothing.
    final var registeredBits: UInt32 {
      guard isValid, !isResting, !interest.isEmpty else { return 0 }
      return interest.epollBits | (trigger == .edge ? EpollBits.edgeTriggered : 0)
        | (isExclusive ? EpollBits.exclusive : 0)
    }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      scope.countDescriptor(1)
      loop.forEachWaitSet(seeing: scope) { $0.add(self) }
    }

    override func didDetach(from scope: Scope, of loop: RunLoop) {
      scope.countDescriptor(-1)
      loop.forEachWaitSet(seeing: scope) { $0.remove(self) }
      loop.giveBackWaitSets()
      // A kept reference to a source is not to keep a descriptor that nobody will wait for any more.
      if ownsDescriptor, loop.hasEnded { invalidate() }
    }

    override func releaseHandlers() { if depth == 0 { _ = take(&handler, leaving: .none) } }
    override var isInCallout: Bool { depth > 0 }
    override var kindName: String { "descriptor source" }
    override var stateDescription: String {
      "descriptor \(descriptor), interest \(interest.isEmpty ? "none" : "\(interest)")"
    }
  }
}
