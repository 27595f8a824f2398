import Glibc

/// Tools under which everything takes many times as long: what they slow down is no stall.
enum SlowEnvironment {
  /// Thresholds are longer by this factor under a sanitizer, a debugger's or an emulator's processor.
  static let slowFactor = 10

  /// The sanitizer that the program was built with, nil without one.
  static let sanitizer: String? = {
    let marks = [("__tsan_init", "thread"), ("__asan_init", "address"), ("__msan_init", "memory")]
    return marks.first { isDefined($0.0) }?.1
  }()

  private static func isDefined(_ symbol: String) -> Bool {
    // SAFETY: the call looks a name up in what is loaded; its result is only compared.
    unsafe dlsym(nil, symbol) != nil
  }

  /// Valgrind puts a library of its own before all others.
  private static var isInValgrind: Bool {
    // SAFETY: the value is a string of the environment; it is only searched.
    guard let preloaded = unsafe getenv("LD_PRELOAD") else { return false }
    return unsafe String(cString: preloaded).contains("vgpreload")
  }

  static let factor = sanitizer != nil || isInValgrind ? slowFactor : 1
}
