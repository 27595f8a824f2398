import LinuxKernel
import Synchronization

/// The messages of a port: those that were sent, behind a lock, and those that the loop has taken to hand them out.
///
/// The loop takes all that wait with one swap, as it does from its inbox, and puts back what it does not come to: it holds
/// messages only while it hands them out. Memory that the one side writes is not on the other's cache lines.
@safe struct Mailbox<Message>: ~Copyable, @unchecked Sendable {
  // Sendable: what `sent` points to is touched with the lock held, and what `taken` points to by the loop's thread alone,
  // or with the lock held once there is none.
  // SAFETY: the parts live as long as `memory`.
  private let memory: HandoverMemory<Sent, Taken>
  private let sent: UnsafeMutablePointer<Sent>
  private let taken: UnsafeMutablePointer<Taken>
  /// How many the loop has taken and not handed out. Written by the loop's thread.
  private let takenCount: UnsafeMutablePointer<Atomic<Int>>

  struct Sent: ~Copyable {
    var messages = MessageBuffer<Message>()
    /// The loop has been told, and will look.
    var isAnnounced = false
    var isClosed = false
  }

  struct Taken: ~Copyable {
    var messages = MessageBuffer<Message>()
    // Here and not in the port, whose memory the senders read.
    /// How many were ever handed out.
    var handedOutCount: UInt64 = 0
    /// How many are being handled: a run that is nested in a callout goes on with them.
    var depth = 0
  }

  /// What became of a message.
  enum Outcome { case closed, full, quiet, announce }

  init() {
    memory = HandoverMemory(shared: Sent(), own: Taken())
    unsafe sent = memory.shared
    unsafe taken = memory.own
    unsafe takenCount = memory.ownCount
  }

  // MARK: any thread

  /// Puts a message behind the others, unless as many wait as may.
  @inline(__always)
  func put(_ message: Message, capacity: Int?) -> Outcome {
    memory.gate.lock()
    if unsafe sent.pointee.isClosed {
      memory.gate.unlock()
      return .closed
    }
    if let capacity, waitingCount >= capacity {
      memory.gate.unlock()
      return .full
    }
    unsafe sent.pointee.messages.append(message)
    let wasAnnounced = unsafe sent.pointee.isAnnounced
    unsafe sent.pointee.isAnnounced = true
    memory.gate.unlock()
    return wasAnnounced ? .quiet : .announce
  }

  /// How many wait.
  var count: Int {
    memory.gate.lock()
    defer { memory.gate.unlock() }
    return waitingCount
  }

  /// With the lock held.
  @inline(__always)
  private var waitingCount: Int {
    unsafe sent.pointee.messages.count + takenCount.pointee.load(ordering: .relaxed)
  }

  /// Takes nothing more; says whether nothing waits.
  func close() -> Bool {
    memory.gate.lock()
    defer { memory.gate.unlock() }
    unsafe sent.pointee.isClosed = true
    return waitingCount == 0
  }

  /// Takes nothing more, and gives up what waits: the caller releases it.
  func drop() -> (MessageBuffer<Message>) {
    var dropped = MessageBuffer<Message>()
    memory.gate.lock()
    unsafe sent.pointee.isClosed = true
    unsafe dropped.append(movingFrom: &taken.pointee.messages)
    unsafe dropped.append(movingFrom: &sent.pointee.messages)
    noteTaken()
    memory.gate.unlock()
    return dropped
  }

  // MARK: the loop's thread

  /// Takes what was sent, if nothing that was taken is left; says whether there is a message to hand out.
  @inline(__always)
  func hasNext() -> Bool { unsafe taken.pointee.messages.count > 0 || takeSent() }

  @inline(never)
  private func takeSent() -> Bool {
    memory.gate.lock()
    unsafe swap(&taken.pointee.messages, &sent.pointee.messages)
    noteTaken()
    memory.gate.unlock()
    return unsafe taken.pointee.messages.count > 0
  }

  /// Gives up the next message, and says where it stands: to be moved out from there at once.
  @inline(__always)
  @unsafe func giveUpNext() -> UnsafeMutablePointer<Message> {
    let place = unsafe taken.pointee.messages.giveUpFirst()
    unsafe taken.pointee.handedOutCount &+= 1
    noteTaken()
    return unsafe place
  }

  /// How many were ever handed out.
  var handedOutCount: UInt64 { unsafe taken.pointee.handedOutCount }

  /// How many are being handled.
  @inline(__always)
  var depth: Int {
    get { unsafe taken.pointee.depth }
    nonmutating set { unsafe taken.pointee.depth = newValue }
  }

  @inline(__always)
  private func noteTaken() {
    unsafe takenCount.pointee.store(taken.pointee.messages.count, ordering: .relaxed)
  }

  /// The loop hands out no more for now, and is to be told of the next message if none waits.
  ///
  /// - Returns: whether any waits, and whether any may come.
  func settle() -> (isEmpty: Bool, isClosed: Bool) {
    memory.gate.lock()
    putBack()
    let isEmpty = unsafe sent.pointee.messages.count == 0
    unsafe sent.pointee.isAnnounced = !isEmpty
    let isClosed = unsafe sent.pointee.isClosed
    memory.gate.unlock()
    unsafe taken.pointee.messages.giveBackMemory()
    return (isEmpty, isClosed)
  }

  /// In front of what came since. With the lock held.
  private func putBack() {
    guard unsafe taken.pointee.messages.count > 0 else { return }
    unsafe taken.pointee.messages.append(movingFrom: &sent.pointee.messages)
    unsafe swap(&taken.pointee.messages, &sent.pointee.messages)
    noteTaken()
  }
}
