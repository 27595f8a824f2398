import Glibc

/// One object a thread, with a last call on the thread when it ends.
///
/// Never freed: a slot is a constant of the program.
@safe package final class ThreadSlot<Object: AnyObject>: Sendable {
  private let key: pthread_key_t

  /// - Parameter ended: called on the ending thread with what its slot held, and with the slot empty; what it puts
  ///   there is given to another call, a few times over.
  package init(ended: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
    var made = pthread_key_t()
    // SAFETY: the key is written by the call; the function lives as long as the program.
    let result = unsafe pthread_key_create(&made, ended)
    require(result == 0, "no thread-specific key left: \(KernelError(result))")
    key = made
  }

  /// What this thread's slot holds.
  @inline(__always)
  package var object: Object? {
    guard let raw = unsafe pthread_getspecific(key) else { return nil }
    // SAFETY: only `put` fills the slot, with an object of this type, which it owns.
    return unsafe Unmanaged<Object>.fromOpaque(raw).takeUnretainedValue()
  }

  /// Puts an object into this thread's empty slot, which owns it from then on.
  package func put(_ object: Object) {
    let result = unsafe pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
    require(result == 0, "no memory for a thread's slot: \(KernelError(result))")
  }

  /// Takes the object out of this thread's slot, if there is one.
  @discardableResult
  package func take() -> Object? {
    guard let raw = unsafe pthread_getspecific(key) else { return nil }
    _ = pthread_setspecific(key, nil)
    return unsafe Unmanaged<Object>.fromOpaque(raw).takeRetainedValue()
  }

  /// Turns what `ended` was given into the object; the caller owns it.
  package static func adopt(_ raw: UnsafeMutableRawPointer) -> Object {
    // SAFETY: `ended` is given what the slot owned.
    unsafe Unmanaged<Object>.fromOpaque(raw).takeRetainedValue()
  }
}
