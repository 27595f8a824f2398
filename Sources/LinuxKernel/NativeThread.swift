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

  /// Which signals a thread holds back at its beginning.
  package enum Signals: Sendable {
    /// Those that the thread which starts it does.
    case asStarter
    /// All of them, so that the program's handlers never run on it.
    case blocked
  }

  /// Starts a detached thread with every signal blocked.
  ///
  /// - Parameter name: what tools show; cut to 15 bytes by the kernel.
  package static func start(
    named name: String, stackBytes: Int = 1 << 20, body: @escaping @Sendable () -> Void
  ) throws(KernelError) {
    let thread = try make(named: name, stackBytes: stackBytes, signals: .blocked, body: body)
    pthread_detach(thread)
  }

  /// Starts a thread that is to be joined or detached.
  ///
  /// - Parameter stackBytes: nil for as many as the system gives; otherwise rounded up to pages, and to the fewest that a
  ///   thread can do with.
  static func make(
    named name: String, stackBytes: Int?, signals: Signals, body: @escaping @Sendable () -> Void
  ) throws(KernelError) -> pthread_t {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackBytes {
      let error = unsafe pthread_attr_setstacksize(&attributes, wholePages(stackBytes))
      guard error == 0 else { throw KernelError(error) }
    }
    guard signals == .blocked else { return try create(&attributes, Start(name: name, body: body)) }
    var all = sigset_t()
    var former = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    return try create(&attributes, Start(name: name, body: body))
  }

  private static func create(
    _ attributes: inout pthread_attr_t, _ beginning: Start
  ) throws(KernelError) -> pthread_t {
    var thread = pthread_t()
    // SAFETY: the new thread takes over the one reference; if there is none, it is taken back here.
    let start = unsafe Unmanaged.passRetained(beginning)
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
    return thread
  }

  private static func wholePages(_ bytes: Int) -> Int {
    let (page, fewest) = (sysconf(CInt(_SC_PAGESIZE)), 64 << 10)
    let (rounded, overflow) = max(bytes, fewest).addingReportingOverflow(page - 1)
    return overflow ? Int.max / page * page : rounded / page * page
  }

  private static func nameCurrent(_ name: String) {
    let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array(name.utf8.prefix(15))
    // SAFETY: writes the array's bytes.
    _ = unsafe write(file, bytes, bytes.count)
  }

  /// Lets the calling thread give way to others, as by `nice`, at least as far as it does already.
  package static func giveWay(_ niceness: Int) {
    // Of the calling thread, on Linux. A refusal leaves it as it is, which is no error: it may only give more way.
    let thread = __priority_which_t(PRIO_PROCESS.rawValue)
    if getpriority(thread, 0) < CInt(niceness) { setpriority(thread, 0, CInt(niceness)) }
  }
}
