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
    // Sendable: immutable or atomic, except what is said to belong to the loop's thread: `firstPlaceWord`
    // and the state that subclasses keep for their callouts. Before an item is added there is no loop, and
    // nothing of it is touched but by its maker.
    //
    // In the order in which it packs: a program may have a million of these. What few have is in `extras`.
    private final let siteAddress: UInt
    private final let owner = OnceReference<RunLoop>()
    private final let extrasReference = OnceReference<ItemExtras>()
    /// The number of the first mode that it is in, and one; 0 in none.
    final let firstModeWord = Atomic<UInt32>(0)
    /// Its index among the members of that mode, and whether it is enlisted there; see `firstIndex`.
    @safe @exclusivity(unchecked) final var firstPlaceWord: UInt32 = 0
    private final let siteLine: UInt32
    private final let generation = UInt16(truncatingIfNeeded: Fork.generation)
    private final let validity = Atomic<Bool>(true)

    /// A mode that the item is in.
    struct Membership {
      let mode: Mode
      /// Its index among the mode's members.
      var index: Int
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
      siteAddress = site.fileAddress
      siteLine = UInt32(truncatingIfNeeded: site.line)
      if order != 0 { extras.order = order }
    }

    /// Where it was made.
    @inline(__always)
    final var site: CallSite { CallSite(fileAddress: siteAddress, line: Int(siteLine)) }

    /// Smaller numbers are called first, among the items of a kind; ports and descriptor sources count as one. Timers
    /// go by their dates, and theirs is 0.
    public final var order: Int { unsafe extrasIfAny?._withUnsafeGuaranteedRef { $0.order } ?? 0 }

    /// Whether the item can still be called. Never becomes true again. In a child made by `fork` no item of the parent
    /// is valid. Any thread.
    public final var isValid: Bool { validity.load(ordering: .acquiring) && !isInherited }

    /// Whether this process inherited the item by `fork`.
    @inline(__always)
    final var isInherited: Bool { generation != UInt16(truncatingIfNeeded: CallingThread.forks) }

    /// The loop that the item was first added to, and belongs to from then on; nil before. Any thread.
    public final var loop: RunLoop? { owner.object }

    /// The same without counting references: the item keeps its loop.
    @inline(__always)
    final var borrowedLoop: Unmanaged<RunLoop>? { unsafe owner.borrowed }

    // MARK: extras

    /// What few items have; made at the first use. Any thread.
    final var extras: ItemExtras {
      if let present = extrasReference.object { return present }
      return extrasReference.setIfUnset(makeExtras())
    }

    /// The same where it was made.
    @inline(__always)
    final var extrasIfAny: Unmanaged<ItemExtras>? { unsafe extrasReference.borrowed }

    @inline(__always)
    final var hasExtras: Bool { extrasReference.isSet }

    /// Takes the item out of all modes for good. After that it is not called again: at once when called on the
    /// loop's thread, also for what had been found ready before; from the next boundary on otherwise.
    ///
    /// Any thread, more than once. What its handlers hold is freed when the last callout of the item has returned.
    @inline(never)
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
      let owner = owner.setIfUnset(loop)
      require(
        owner === loop,
        "this \(kindName), made at \(site), already belongs to \(owner); an item belongs to one loop")
    }

    // MARK: callouts

    /// To be called after each callout, once no other of the item is on: frees the handlers of an item whose
    /// invalidation was finished meanwhile, and tells who waits.
    @inline(__always)
    final func calloutEnded() {
      if !validity.load(ordering: .relaxed), firstModeWord.load(ordering: .relaxed) == 0 {
        lastCalloutEnded()
      }
    }

    @inline(never)
    private final func lastCalloutEnded() {
      releaseHandlers()
      guard hasExtras else { return }
      let told = extras.departures
      extras.departures = []
      for departure in told { departure.note() }
    }

    /// Makes the departure wait for the callouts of the item that are on the stack.
    final func report(to departure: Departure) {
      guard isInCallout else { return }
      departure.expectCallout()
      extras.departures.append(departure)
    }

    // What each kind does at the changes of its state; all on the loop's thread.

    /// The item came into the scope of a mode, or of the common modes; with a place if it moved there.
    func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {}
    /// Where it stands among its equals.
    func place(in scope: Scope) -> Place { Place() }
    /// The item left the scope.
    func didDetach(from scope: Scope, of loop: RunLoop) {}
    /// The item will not be called again: frees its handlers, unless a callout of theirs is on, whose end will.
    func releaseHandlers() {}
    func makeExtras() -> ItemExtras { ItemExtras() }
    /// Whether a callout of the item is on the stack.
    var isInCallout: Bool { false }
    /// Which item is the one that is handled when this one is: itself, or the part that others do their work by.
    var servedPart: Item { self }
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
