/// What the sleep protocol needs of memory and of the kernel.
///
/// The protocol (`BellMachine+Protocol.swift`) is written once over this seam and runs on two machines:
/// `KernelBell`, which is atomics and system calls, and the explorer of the tests, which runs every
/// interleaving of its steps. Each operation names its step, so that the explorer can plant a fault there.
package protocol BellMachine: ~Copyable {
  /// `Never` in the kernel; what the explorer throws to stop an actor at its next step.
  associatedtype Halt: Error

  /// A sequentially consistent load.
  func load(_ word: BellWord, _ step: BellStep) throws(Halt) -> UInt32
  /// A store that publishes, but may be seen late by others.
  func store(_ value: UInt32, in word: BellWord, _ step: BellStep) throws(Halt)
  /// Swaps, as a full barrier.
  func exchange(_ word: BellWord, with value: UInt32, _ step: BellStep) throws(Halt) -> UInt32
  /// Swaps if the word is as expected, as a full barrier; says whether it did.
  func compareExchange(
    _ word: BellWord, _ expected: UInt32, _ desired: UInt32, _ step: BellStep
  ) throws(Halt) -> Bool
  /// Adds, as a full barrier; gives back the value before.
  func add(_ amount: UInt32, to word: BellWord, _ step: BellStep) throws(Halt) -> UInt32

  /// Wakes the thread that sleeps on the sleep word.
  func wakeSleeper(_ step: BellStep) throws(Halt)
  /// Makes the bell's descriptor readable.
  func writeDescriptor(_ step: BellStep) throws(Halt)
  /// Closes the bell's descriptor, if there is one.
  func closeDescriptor(_ step: BellStep) throws(Halt)
}

/// The two words of the protocol.
package enum BellWord: Sendable { case sleep, door }

/// The steps of the protocol, in the order of their actors.
package enum BellStep: Sendable, CaseIterable {
  // The sleeper.
  case announceSleep, wait, noticeRing, rise
  // A poster.
  case glance, claim, enterDoor, ring, wake, leaveDoor, retireAsLast, closeAsLast
  // The end of the loop.
  case shutDoor, retireAtEnd, closeAtEnd
}
