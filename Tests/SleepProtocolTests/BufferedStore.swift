import Mainspring

/// A store that has not reached memory yet.
struct BufferedStore: Equatable {
  enum Target: Equatable {
    case word(BellWord)
    /// The inbox, when its lock is not the barrier that it should be.
    case inbox
  }

  let target: Target
  let value: UInt32
}

/// A number of eight bits for each store that occurs, from one on.
struct StoreNames {
  private var stores: [BufferedStore] = []

  subscript(name: UInt8) -> BufferedStore { stores[Int(name) - 1] }

  mutating func name(of store: BufferedStore) -> UInt8 {
    if let known = stores.firstIndex(of: store) { return UInt8(known + 1) }
    stores.append(store)
    precondition(stores.count < 256, "more than 255 different stores")
    return UInt8(stores.count)
  }
}
