/// A growing stretch of messages that is filled at the end and emptied from the front, by moving.
///
/// A port is compiled once for all types of messages. What is done for each message asks for no type's description but
/// the message's own, which the port has: an array, an optional or a tuple of messages would be looked up each time.
@safe struct MessageBuffer<Message>: ~Copyable {
  // SAFETY: the cells [first, end) are initialized, all others are not. Only the methods below move the bounds.
  private var cells: UnsafeMutablePointer<Message>
  private var capacity = 0
  private var first = 0
  private var end = 0

  init() { unsafe cells = .allocate(capacity: 0) }

  deinit {
    unsafe (cells + first).deinitialize(count: count)
    unsafe cells.deallocate()
  }

  /// How many messages there are.
  @inline(__always)
  var count: Int { end &- first }

  @inline(__always)
  mutating func append(_ message: Message) {
    if end == capacity { makeRoom(for: 1) }
    unsafe (cells + end).initialize(to: message)
    end &+= 1
  }

  /// Gives up the first message, and says where it stands. It is to be moved out from there before anything else is done
  /// with the buffer.
  @inline(__always)
  @unsafe mutating func giveUpFirst() -> UnsafeMutablePointer<Message> {
    let place = unsafe cells + first
    first &+= 1
    if first == end { (first, end) = (0, 0) }
    return unsafe place
  }

  /// Moves all messages of another buffer behind those of this one.
  mutating func append(movingFrom other: inout MessageBuffer) {
    guard other.count > 0 else { return }
    if capacity - end < other.count { makeRoom(for: other.count) }
    unsafe (cells + end).moveInitialize(from: other.cells + other.first, count: other.count)
    end += other.count
    (other.first, other.end) = (0, 0)
  }

  /// Gives back the memory that a burst left, if there is no message.
  mutating func giveBackMemory() {
    guard capacity > Self.keptCapacity, count == 0 else { return }
    unsafe cells.deallocate()
    unsafe cells = .allocate(capacity: 0)
    capacity = 0
  }

  /// A buffer is kept between bursts up to this many messages.
  private static var keptCapacity: Int { 4096 }

  /// By moving everything to the front if half of it is free by that, so that each message is moved a few times at most
  /// however long the buffer is never empty.
  @inline(never)
  private mutating func makeRoom(for more: Int) {
    let needed = count + more
    if needed <= capacity / 2 {
      unsafe cells.moveInitialize(from: cells + first, count: count)
    } else {
      let newCapacity = max(64, capacity * 2, needed)
      let newCells = UnsafeMutablePointer<Message>.allocate(capacity: newCapacity)
      unsafe newCells.moveInitialize(from: cells + first, count: count)
      unsafe cells.deallocate()
      unsafe cells = newCells
      capacity = newCapacity
    }
    (first, end) = (0, count)
  }
}
