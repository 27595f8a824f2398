import Synchronization

/// The runs on a loop's stack and the stops that address them, in one word.
///
/// `stop` comes from any thread and must say whether it met a run, so depth and stops change together.
/// Bits: depth in the upper half; below it whether the innermost run is to stop, whether all are, and the
/// same two for a stop that met no run and is kept for the next outermost one.
@safe struct StopWord: ~Copyable, @unchecked Sendable {
  // Sendable: what it holds are the address of an atomic word and the owner of that.
  // SAFETY: the word's owner is kept beside its address.
  private let words: LoopWords
  private let word: UnsafeMutablePointer<Atomic<UInt64>>

  init(_ words: LoopWords = LoopWords()) {
    self.words = words
    unsafe word = words.stops
  }

  private enum Bits {
    static let innermost: UInt64 = 1
    static let all: UInt64 = 2
    static let keptInnermost: UInt64 = 4
    static let keptAll: UInt64 = 8
    static let kept = keptInnermost | keptAll
    static let oneRun: UInt64 = 1 << 32
  }

  /// What stops have reached a run.
  struct Stops {
    /// A stop that addressed it as the innermost run.
    var innermost = false
    /// A stop of every run on the stack.
    var all = false
  }

  /// How a run begins.
  struct Beginning {
    /// Kept stops, and a stop of all runs that is still unwinding.
    var stops: Stops
    /// The run around this one had been stopped; give it back at the end.
    var outerWasStopped: Bool
  }

  @inline(__always)
  var depth: Int { Int(unsafe word.pointee.load(ordering: .relaxed) >> 32) }

  /// Whether a run is on: ordered after what the asking thread did before.
  var isRunning: Bool { unsafe word.pointee.load(ordering: .sequentiallyConsistent) >> 32 != 0 }

  /// Whether the innermost run is to end.
  @inline(__always)
  var isStopped: Bool {
    unsafe word.pointee.load(ordering: .sequentiallyConsistent) & (Bits.innermost | Bits.all) != 0
  }

  var isStoppedEntirely: Bool { unsafe word.pointee.load(ordering: .relaxed) & Bits.all != 0 }

  private func update<Result>(_ change: (inout UInt64) -> Result) -> Result {
    var old = unsafe word.pointee.load(ordering: .relaxed)
    while true {
      var new = old
      let result = change(&new)
      let (exchanged, found) = unsafe word.pointee.compareExchange(
        expected: old, desired: new, ordering: .sequentiallyConsistent)
      if exchanged { return result }
      old = found
    }
  }

  /// Only on the loop's thread.
  func beginRun() -> Beginning {
    update { bits in
      let isOutermost = bits >> 32 == 0
      let kept = isOutermost ? bits & Bits.kept : 0
      let beginning = Beginning(
        stops: Stops(
          innermost: kept & Bits.keptInnermost != 0, all: bits & Bits.all != 0 || kept & Bits.keptAll != 0),
        outerWasStopped: bits & Bits.innermost != 0)
      if isOutermost { bits &= ~Bits.kept }
      bits &= ~Bits.innermost
      bits += Bits.oneRun
      return beginning
    }
  }

  /// Only on the loop's thread. Says which stops had met the run by then.
  func endRun(_ beginning: Beginning) -> Stops {
    update { bits in
      let met = Stops(innermost: bits & Bits.innermost != 0, all: bits & Bits.all != 0)
      bits &= ~Bits.innermost
      if beginning.outerWasStopped { bits |= Bits.innermost }
      bits -= Bits.oneRun
      if bits >> 32 == 0 { bits &= ~Bits.all }
      return met
    }
  }

  /// Forgets a stop of the innermost run, for a run that counts them and goes on. Says whether there was one.
  func passOverStop() -> Bool {
    guard unsafe word.pointee.load(ordering: .relaxed) & Bits.innermost != 0 else { return false }
    return update { bits in
      let was = bits & Bits.innermost != 0
      bits &= ~Bits.innermost
      return was
    }
  }

  /// Any thread. Says whether the stop met a run; if not, it is kept.
  func stop(_ scope: RunLoop.StopScope) -> Bool {
    update { bits in
      guard bits >> 32 != 0 else {
        // Stops do not add up; the one that reaches further stays.
        if scope == .all { bits = bits & ~Bits.kept | Bits.keptAll }
        if bits & Bits.kept == 0 { bits |= Bits.keptInnermost }
        return false
      }
      bits |= scope == .all ? Bits.all : Bits.innermost
      return true
    }
  }

  /// Any thread. Takes a kept stop back; says whether there was one.
  func cancelKept() -> Bool {
    update { bits in
      let was = bits & Bits.kept != 0
      bits &= ~Bits.kept
      return was
    }
  }
}
