import Synchronization

extension RunLoop {
  /// What few items have, in memory that the others do not pay for.
  ///
  /// Made once for an item and kept as long as it. Kinds that have more of the sort have a class of their own.
  class ItemExtras: @unchecked Sendable {
    // Sendable: `order` is set before the item is seen by others, and the mask is atomic; the rest belongs to the
    // loop's thread.
    @safe @exclusivity(unchecked) final var order = 0
    /// The modes that it is in, but for the first.
    @safe @exclusivity(unchecked) final var otherModes: [Item.Membership] = []
    /// These modes, for other threads.
    final let otherMask = Atomic<UInt64>(0)
    /// Who waits for the callouts that are on, told when the last has returned.
    @safe @exclusivity(unchecked) final var departures: [Departure] = []
  }
}
