import CLinuxKernel
import Glibc

/// Starts threads that nothing of the language's runtime manages.
package enum NativeThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a detached thread with every signal blocked, so that the program's handlers never run on it.
  ///
  /// - Parameter name: what tools show; cut to 15 bytes by the kernel.
  package static func start(
    named name: String, stackBytes: Int = 1 << 20, body: @escaping @Sendable () -> Void
  ) throws(KernelError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var all = sigset_t()
    var former = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    // SAFETY: the new thread takes over the one reference; if there is none, it is taken back here.
    let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
    let error = unsafe pthread_create(
      &thread, &attributes,
      { raw in
        guard let raw = unsafe raw else { return nil }
        let start = unsafe Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        NativeThread.nameCurrent(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard error == 0 else {
      unsafe start.release()
      throw KernelError(error)
    }
  }

  private static func nameCurrent(_ name: String) {
    let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array(name.utf8.prefix(15))
    // SAFETY: writes the array's bytes.
    _ = unsafe write(file, bytes, bytes.count)
  }
}
