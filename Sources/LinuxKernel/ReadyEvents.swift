package import CLinuxKernel

/// What one wait has found: room for the kernel's answers, used over and over.
@safe package struct ReadyEvents: ~Copyable {
  // SAFETY: the first `count` of `capacity` cells are initialized.
  package private(set) var cells: UnsafeMutablePointer<epoll_event>
  package private(set) var capacity: Int
  package private(set) var count = 0

  /// - Parameter capacity: how many ready descriptors one wait can tell.
  package init(capacity: Int) {
    self.capacity = capacity
    unsafe cells = .allocate(capacity: capacity)
    unsafe cells.initialize(repeating: epoll_event(), count: capacity)
  }

  deinit { unsafe cells.deallocate() }

  @inline(__always)
  package func token(at index: Int) -> UInt64 { unsafe cells[index].data.u64 }

  /// The kernel's event bits.
  @inline(__always)
  package func bits(at index: Int) -> UInt32 { unsafe cells[index].events }

  /// Nothing was found.
  package mutating func removeAll() { count = 0 }

  /// For who plays the kernel: there is always room.
  package mutating func append(token: UInt64, bits: UInt32) {
    if count == capacity {
      let larger = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity * 2)
      unsafe larger.initialize(repeating: epoll_event(), count: capacity * 2)
      unsafe larger.update(from: cells, count: count)
      unsafe cells.deallocate()
      unsafe cells = larger
      capacity *= 2
    }
    unsafe cells[count].data.u64 = token
    unsafe cells[count].events = bits
    count += 1
  }

  /// The kernel has filled the first cells.
  @inline(__always)
  mutating func noteFilled(_ newCount: Int) { count = newCount }
}
