import Mainspring

/// One step of an actor: what it does to memory, to the inbox or to the kernel, without interruption.
struct Step {
  let name: StepName
  let operation: Operation
}

/// Where in the protocol a step is.
enum StepName: Equatable {
  case bell(BellStep)
  /// Of a poster: the entry goes into the inbox.
  case append
  /// Of the loop: between the announcement and the wait.
  case look
  /// Of a hosted loop: the descriptor is not readable any more for what was rung before.
  case takeRings
  /// Of the loop: takes the inbox and runs what concerns it.
  case startPass
  /// Of the loop's end.
  case closeInbox
}

/// What a step does. Its result is a number, so that results can be recorded.
enum Operation {
  case load(BellWord)
  case store(UInt32, in: BellWord)
  case exchange(BellWord, with: UInt32)
  case compareExchange(BellWord, UInt32, UInt32)
  /// What is left of a compare-exchange that does not exchange.
  case compare(BellWord, UInt32)
  case add(UInt32, to: BellWord)

  case wait(on: Sleep)
  case takeRings(of: Sleep)
  case wakeSleeper
  case writeDescriptor
  case closeDescriptor

  /// Appends the actor's entry, unless the inbox is closed; says whether it did.
  case append
  /// Looks without the lock whether the inbox has anything.
  case peek
  /// Takes over what the inbox has; says whether anything that was taken over concerns the sleep.
  case accept(for: Sleep)
  /// Takes over what the inbox has, runs what concerns the sleep that ended or the one that comes, and
  /// goes on with stretch `stretch` of the loop. `rung` is what `sleep` said, if it slept.
  case startPass(stretch: Int, rung: Bool?)
  /// Closes the inbox; what it or the loop still holds is released unrun.
  case closeInbox

  /// Whether the processor drains the actor's store buffer first: every locked instruction does, and each
  /// system call of the protocol has one before its effect.
  var drainsBuffer: Bool {
    switch self {
    case .load, .store, .compare, .peek: false
    default: true
    }
  }
}
