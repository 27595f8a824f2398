/// The items of a scope, in the order of adding; each knows its index, so that one goes without a search.
///
/// Those that go leave a gap; the list closes up when there are as many gaps as items. Only on the loop's thread.
struct MemberList {
  private var items: ContiguousArray<RunLoop.Item?> = []
  /// When each was added, where that is asked for.
  private var sequences: ContiguousArray<UInt64>?
  private(set) var count = 0

  /// - Parameter keepsSequences: whether it will be asked when items were added.
  init(keepsSequences: Bool) { sequences = keepsSequences ? [] : nil }

  /// The index of the item that is appended next.
  var endIndex: Int { items.count }

  mutating func append(_ item: RunLoop.Item, sequence: @autoclosure () -> UInt64) {
    precondition(items.count < 1 << 31, "more items than a mode can number")
    items.append(item)
    sequences?.append(sequence())
    count += 1
  }

  func sequence(at index: Int) -> UInt64 { sequences![index] }

  /// - Complexity: O(1) amortised.
  mutating func remove(at index: Int, of mode: RunLoop.Mode) {
    items[index] = nil
    count -= 1
    while let last = items.last, last == nil {
      items.removeLast()
      sequences?.removeLast()
    }
    if items.count >= Self.gapsKept, items.count > 2 * count { closeUp(in: mode) }
  }

  /// So few entries are not worth closing up.
  private static let gapsKept = 32

  private mutating func closeUp(in mode: RunLoop.Mode) {
    var kept = 0
    for index in items.indices {
      guard let item = items[index] else { continue }
      item.setIndex(kept, in: mode)
      items.swapAt(kept, index)
      if sequences != nil { sequences!.swapAt(kept, index) }
      kept += 1
    }
    items.removeLast(items.count - kept)
    if let excess = sequences.map({ $0.count - kept }) { sequences?.removeLast(excess) }
  }

  /// Everything, in the order of adding.
  ///
  /// - Complexity: O(n).
  var inOrder: [RunLoop.Item] { items.compactMap { $0 } }
}
