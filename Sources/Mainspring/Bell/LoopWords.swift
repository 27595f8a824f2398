import CMainspring
import LinuxKernel
package import Synchronization

/// The words of a loop that other threads read and write, in memory that signal handlers may use, too.
///
/// They live as long as anybody keeps this object: the loop's parts, and whoever may still ring.
@safe package final class LoopWords: @unchecked Sendable {
  // Sendable: what is here are addresses of atomic words, freed with the object.
  // SAFETY: an Atomic is laid out as its value, and each word is touched through the atomic of its address, or by C's
  // atomic operations, alone.
  let memory: OpaquePointer
  package let sleep: UnsafeMutablePointer<Atomic<UInt32>>
  package let door: UnsafeMutablePointer<Atomic<UInt32>>
  package let descriptor: UnsafeMutablePointer<Atomic<CInt>>
  /// The processor that the loop was last rung from.
  package let ringer: UnsafeMutablePointer<Atomic<UInt32>>
  package let stops: UnsafeMutablePointer<Atomic<UInt64>>
  package let wakeRequested: UnsafeMutablePointer<Atomic<UInt32>>

  package init() {
    guard let made = unsafe mainspring_words_make(Fork.generation) else { trap("no memory for a run loop") }
    unsafe memory = unsafe made
    unsafe sleep = Self.atomic(mainspring_words_sleep(made))
    unsafe door = Self.atomic(mainspring_words_door(made))
    unsafe descriptor = Self.atomic(mainspring_words_descriptor(made))
    unsafe ringer = Self.atomic(mainspring_words_ringer(made))
    unsafe stops = Self.atomic(mainspring_words_stops(made))
    unsafe wakeRequested = Self.atomic(mainspring_words_wake_requested(made))
  }

  deinit { unsafe mainspring_words_free(memory) }

  private static func atomic<Value>(_ word: UnsafeMutablePointer<Value>) -> UnsafeMutablePointer<
    Atomic<Value>
  > {
    unsafe UnsafeMutableRawPointer(word).assumingMemoryBound(to: Atomic<Value>.self)
  }
}
