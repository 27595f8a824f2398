import Synchronization

/// An atomic reference that is set once and held from then on.
///
/// Unlike the standard library's it can be looked at without counting references, for what is read at every step.
@safe struct OnceReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  // Sendable: an atomic word. SAFETY: it is the address of an object that was retained for it, or zero, and never
  // changes once it is not zero; the object lives until this value goes.
  private let word = Atomic<UInt>(0)

  deinit {
    let raw = word.load(ordering: .acquiring)
    if let address = unsafe UnsafeRawPointer(bitPattern: raw) {
      unsafe Unmanaged<Object>.fromOpaque(address).release()
    }
  }

  /// Whether it was set.
  @inline(__always)
  var isSet: Bool { word.load(ordering: .acquiring) != 0 }

  /// The object, for whoever keeps this value while using it.
  @inline(__always)
  var borrowed: Unmanaged<Object>? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else {
      return nil
    }
    return unsafe Unmanaged<Object>.fromOpaque(address)
  }

  /// The object.
  var object: Object? { unsafe borrowed?.takeUnretainedValue() }

  /// Sets it if nobody has; gives what is there then.
  func setIfUnset(_ object: Object) -> Object {
    let retained = unsafe Unmanaged.passRetained(object)
    let new = unsafe UInt(bitPattern: retained.toOpaque())
    let (exchanged, found) = word.compareExchange(expected: 0, desired: new, ordering: .acquiringAndReleasing)
    if exchanged { return object }
    unsafe retained.release()
    // SAFETY: what was found is set for good.
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(bitPattern: found)!).takeUnretainedValue()
  }
}
