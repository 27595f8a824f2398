/// A closure of the user's in an item: called without counting references, freed while the item lives on.
///
/// It is stored in the item itself and called through a borrowing method; a closure that were read out of the item's
/// property first would be retained for each call. Whoever frees it sees to it that no call is on (`Item.calloutEnded`).
/// Only on the loop's thread, and on the maker's before there is a loop.
struct Handler<Argument>: ~Copyable {
  private let call: @Sendable (Argument) -> Void

  init(_ call: @escaping @Sendable (Argument) -> Void) { self.call = call }

  /// What stands in the place of a closure that was freed.
  static var none: Handler { Handler { _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ argument: Argument) { call(argument) }
}

/// The same for a closure that takes the item and something more.
struct PairHandler<First, Second>: ~Copyable {
  private let call: @Sendable (First, Second) -> Void

  init(_ call: @escaping @Sendable (First, Second) -> Void) { self.call = call }

  static var none: PairHandler { PairHandler { _, _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ first: First, _ second: Second) { call(first, second) }
}
