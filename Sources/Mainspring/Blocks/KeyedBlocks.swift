import LinuxKernel

/// A block that a loop performs in several modes, by its order number or after a delay: by a source or a timer that ends
/// with its first call.
final class RequestedBlock: Sendable {
  let modes: [RunLoop.Mode]
  let item: RunLoop.Item

  init(_ item: RunLoop.Item, in modes: [RunLoop.Mode]) {
    self.item = item
    self.modes = modes
  }

  var mask: ModeMask { modes.reduce(into: .none) { $0.formUnion(ModeMask($1)) } }
}

/// The blocks of a loop that are known by a key, and wait. Any thread.
///
/// Who takes one out decides what becomes of it: the loop, which performs it, or who cancels or replaces it.
final class KeyedBlocks: Sendable {
  private let items = Locked<[RunLoop.PerformKey: RunLoop.Item]>([:])

  /// Puts one in; gives the one that it takes the place of.
  func replace(_ key: RunLoop.PerformKey, by item: RunLoop.Item) -> RunLoop.Item? {
    items.withLock { $0.updateValue(item, forKey: key) }
  }

  func take(_ key: RunLoop.PerformKey) -> RunLoop.Item? { items.withLock { $0.removeValue(forKey: key) } }

  /// Takes it out if it is still there; says whether it was.
  func take(_ key: RunLoop.PerformKey, if item: RunLoop.Item) -> Bool {
    items.withLock { items in
      guard items[key] === item else { return false }
      items[key] = nil
      return true
    }
  }

  func takeAll(where isMeant: (RunLoop.PerformKey) -> Bool) -> [RunLoop.Item] {
    items.withLock { items in
      let taken = items.filter { isMeant($0.key) }
      for key in taken.keys { items[key] = nil }
      return Array(taken.values)
    }
  }
}
