import CMainspring
import Glibc
@testable import Mainspring
import Synchronization
import Testing

@Suite struct SignalSafeWordTests {
  /// A way to come to a state of the stop word: runs that are on, and stops that came before and during them.
  private static let histories: [[Step]] = {
    let steps: [Step] = [.stop(.innermost), .stop(.all), .begin]
    var histories: [[Step]] = [[]]
    for history in histories { histories += steps.map { history + [$0] } }
    for history in histories where history.count == 1 { histories += steps.map { history + [$0] } }
    for history in histories where history.count == 2 { histories += steps.map { history + [$0] } }
    return histories
  }()

  private enum Step {
    case stop(RunLoop.StopScope)
    case begin
  }

  /// The words after a history, and after one stop more, by Swift or by C.
  private func word(after history: [Step], then scope: RunLoop.StopScope, inC: Bool) -> (
    met: Bool, word: UInt64
  ) {
    let words = LoopWords()
    let stops = StopWord(words)
    for step in history {
      switch step {
      case .stop(let scope): _ = stops.stop(scope)
      case .begin: _ = stops.beginRun()
      }
    }
    let met =
      inC
      ? unsafe mainspring_stop(words.memory, scope == .all ? mainspring_stop_all : mainspring_stop_innermost)
        == 1
      : stops.stop(scope)
    return (met, unsafe words.stops.pointee.load(ordering: .relaxed))
  }

  @Test func `M45: a stop in C leaves the same word as one in Swift, from every state`() {
    #expect(Self.histories.count == 40)
    for history in Self.histories {
      for scope in [RunLoop.StopScope.innermost, .all] {
        let (swift, c) = (
          word(after: history, then: scope, inC: false), word(after: history, then: scope, inC: true)
        )
        #expect(swift == c, "\(history), then \(scope)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `M45: errno is as it was, also where the ring itself failed`(isStop: Bool) {
    let words = LoopWords()
    _ = StopWord(words).beginRun()
    // It sleeps on a descriptor that is not open.
    let code = SleepCode(mode: .default, isCommon: true, usesDescriptor: true)
    unsafe words.sleep.pointee.store(code.rawValue, ordering: .relaxed)
    errno = 77
    if isStop {
      _ = unsafe mainspring_stop(words.memory, mainspring_stop_innermost)
    } else {
      unsafe mainspring_wake_up(words.memory)
    }
    let after = errno
    #expect(after == 77)
    #expect(unsafe words.sleep.pointee.load(ordering: .relaxed) == SleepCode.awake.rawValue)
  }

  @Test func `M45: the last one out of a door that was shut closes the descriptor, in C as well`() throws {
    let words = LoopWords()
    let bell = KernelBell(words)
    let number = try bell.makeDescriptor()
    let code = SleepCode(mode: .default, isCommon: true, usesDescriptor: true)
    unsafe words.sleep.pointee.store(code.rawValue, ordering: .relaxed)
    // Somebody is inside when the loop ends.
    unsafe words.door.pointee.store(1, ordering: .relaxed)
    bell.shutDoor()
    #expect(unsafe words.descriptor.pointee.load(ordering: .relaxed) == number)
    unsafe mainspring_wake_up(words.memory)
    #expect(unsafe words.descriptor.pointee.load(ordering: .relaxed) == number, "not the last")
    #expect(unsafe words.sleep.pointee.load(ordering: .relaxed) == SleepCode.awake.rawValue)
    // The one inside goes, and C comes last.
    unsafe words.door.pointee.store(1 << 31, ordering: .relaxed)
    unsafe words.sleep.pointee.store(code.rawValue, ordering: .relaxed)
    unsafe mainspring_wake_up(words.memory)
    #expect(unsafe words.descriptor.pointee.load(ordering: .relaxed) == -1)
  }
}
