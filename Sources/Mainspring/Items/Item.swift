import LinuxKernel
import Synchronization

extension RunLoop {
  /// What can be added to a loop: a source, a timer, an observer, a descriptor source or a port.
  ///
  /// An item belongs to one loop, the first that it is added to, and to any number of that loop's modes. The
  /// loop keeps it alive while it is in a mode. Handlers are called on the loop's thread. Items may be made,
  /// added, removed and invalidated on any thread: on the loop's own at once, from another at the loop's next
  /// boundary between callouts.
  public class Item: @unchecked Sendable {
    // Sendable: immutable or atomic, except what is said to belong to the loop's thread: `memberships` and the
    // state that subclasses keep for their callouts. Before an item is added there is no loop, and nothing of
    // it is touched but by its maker.
    let site: CallSite
    /// Smaller numbers are called first, among the items of a kind; ports and descriptor sources count as one. Timers
    /// go by their dates, and theirs is 0.
    public let order: Int
    private let validity = Atomic<Bool>(true)
    private let ownerReference = AtomicLazyReference<RunLoop>()
    private let ownerThread = Atomic<UInt>(0)
    private let maskWord = Atomic<UInt64>(0)
    private let generation = Fork.generation
    /// Only on the loop's thread.
    @safe @exclusivity(unchecked) final var memberships: [Membership] = []
    /// How often a run called it as a source, a port or a descriptor source. Only on the loop's thread.
    @safe @exclusivity(unchecked) final var timesHandled: UInt64 = 0

    /// A mode that the item is in.
    struct Membership {
      let mode: Mode
      /// Whether the mode's list of what is to be served holds the item already.
      var isEnlisted = false
    }

    /// An item's place in a scope among its equals: kept where it goes on being served in a mode but moves between
    /// the common modes and the mode alone.
    struct Place {
      var sequence: UInt64?
      /// Found due and not fired yet.
      var isInBatch = false

      func before(_ other: Place) -> Place {
        Place(
          sequence: min(sequence ?? .max, other.sequence ?? .max), isInBatch: isInBatch || other.isInBatch)
      }

      var outOfBatch: Place { Place(sequence: sequence) }
    }

    init(order: Int, site: CallSite) {
      self.order = order
      self.site = site
    }

    /// Whether the item can still be called. Never becomes true again. In a child made by `fork` no item of the parent
    /// is valid. Any thread.
    public final var isValid: Bool { validity.load(ordering: .acquiring) && !isInherited }

    /// Whether this process inherited the item by `fork`.
    @inline(__always)
    final var isInherited: Bool { generation != Fork.generation }

    /// The loop that the item was first added to, and belongs to from then on; nil before. Any thread.
    public final var loop: RunLoop? { ownerReference.load() }

    /// The modes that concern the item, for deciding whom to wake.
    final var mask: ModeMask { ModeMask(rawValue: maskWord.load(ordering: .relaxed)) }

    /// Whether the item is attached to a loop and this is that loop's thread.
    @inline(__always)
    final var isOnOwnersThread: Bool {
      ownerThread.load(ordering: .relaxed) == ThreadIdentity.current
    }

    /// Takes the item out of all modes for good. After that it is not called again: at once when called on the
    /// loop's thread, also for what had been found ready before; from the next boundary on otherwise.
    ///
    /// Any thread, more than once. What its handlers hold is freed when the last callout of the item has returned.
    public final func invalidate() {
      guard validity.exchange(false, ordering: .acquiringAndReleasing) else { return }
      guard let loop else { return releaseHandlers() }
      if loop.isOnOwnThread {
        loop.finishInvalidation(of: self)
      } else if !loop.send(concerning: mask, { $0.finishInvalidation(of: self) }) {
        releaseHandlers()
      }
    }

    /// Makes the item the loop's. Traps if it is another's.
    final func claim(for loop: RunLoop) {
      let owner = ownerReference.storeIfNil(loop)
      require(
        owner === loop,
        "this \(kindName), made at \(site), already belongs to \(owner); an item belongs to one loop")
    }

    /// Only on the loop's thread.
    final func noteAttached(to loop: RunLoop) {
      if loop.itemsKnowThread { ownerThread.store(loop.ownThread, ordering: .relaxed) }
    }

    /// Only on the loop's thread, when the loop ends.
    final func noteLoopEnded() { ownerThread.store(0, ordering: .relaxed) }

    final func isMember(of mode: Mode) -> Bool { memberships.contains { $0.mode == mode } }

    final func insertMembership(_ mode: Mode) {
      memberships.append(Membership(mode: mode))
      refreshMask()
    }

    final func removeMembership(_ mode: Mode) {
      memberships.removeAll { $0.mode == mode }
      // In no mode it asks the loop whose thread this is: the loop may end without hearing of it.
      if memberships.isEmpty { ownerThread.store(0, ordering: .relaxed) }
      refreshMask()
    }

    private func refreshMask() {
      var mask = ModeMask.none
      for membership in memberships { mask.formUnion(ModeMask(membership.mode)) }
      maskWord.store(mask.rawValue, ordering: .relaxed)
    }

    /// Enlists the item in a mode's list once; says whether it was not there yet.
    final func enlist(in mode: Mode) -> Bool {
      for index in memberships.indices where memberships[index].mode == mode {
        if memberships[index].isEnlisted { return false }
        memberships[index].isEnlisted = true
        return true
      }
      return false
    }

    final func isEnlisted(in mode: Mode) -> Bool {
      memberships.contains { $0.mode == mode && $0.isEnlisted }
    }

    final func unenlist(from mode: Mode) {
      for index in memberships.indices where memberships[index].mode == mode {
        memberships[index].isEnlisted = false
      }
    }

    // What each kind does at the changes of its state; all on the loop's thread.

    /// The item came into the scope of a mode, or of the common modes; with a place if it moved there.
    func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {}
    /// Where it stands among its equals.
    func place(in scope: Scope) -> Place { Place() }
    /// The item left the scope.
    func didDetach(from scope: Scope, of loop: RunLoop) {}
    /// The item will not be called again: handlers are freed as soon as no callout of theirs is on.
    func releaseHandlers() {}
    /// Whether a callout of the item is on the stack.
    var isInCallout: Bool { false }
    /// Makes the departure wait for the callouts of the item that are on the stack.
    func report(to departure: Departure) {}
    /// Whether the item keeps a run of its mode going by itself.
    var keepsModeAlive: Bool { true }
    /// The kind's name in descriptions.
    var kindName: String { "item" }
    /// What the item adds to its line in the loop's description.
    var stateDescription: String { "" }
  }
}

extension RunLoop.Item: CustomDebugStringConvertible {
  /// The item's kind, the file and line where it was made, and its state, in one line.
  public var debugDescription: String {
    let state = stateDescription
    return
      "\(kindName) made at \(site)\(order == 0 ? "" : ", order \(order)")\(state.isEmpty ? "" : ", \(state)")"
      + (isValid ? "" : ", invalid")
  }
}
