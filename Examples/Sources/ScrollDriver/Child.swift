import Glibc

/// A process that was started here, and what it writes. It ends with this object.
///
/// Not Foundation's: that gives a child the signals that are blocked on the thread which starts it, and on a thread of a pool
/// those are all; SIGTERM would not end it.
final class Child {
  private let process: pid_t
  private let output: CInt
  private var hasEnded = false

  /// A test of a program that hangs is to fail, not to hang as well.
  private static let millisecondsMax: CInt = 60_000

  /// - Parameters:
  ///   - words: the program, looked for in PATH if it is no path, and its arguments.
  ///   - display: as in DISPLAY; nil leaves that as it is.
  ///   - isSilent: whether what it complains of goes nowhere.
  init(_ words: [String], display: String? = nil, isSilent: Bool = false) throws(DriverError) {
    var ends: [CInt] = [0, 0]
    // SAFETY: the call writes two numbers.
    guard unsafe pipe(&ends) == 0 else { throw .ended(words[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    output = ends[0]
    guard let process = Self.spawn(words, Self.environment(display), output: ends[1], isSilent) else {
      close(ends[0])
      throw .ended(words[0])
    }
    self.process = process
  }

  deinit {
    end()
    close(output)
  }

  /// The next of what it writes; nothing once it has ended, or if it is silent for longer than anybody could wait.
  func read() -> [UInt8] {
    var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    // SAFETY: one structure is read and written, which outlives the call.
    guard unsafe poll(&wanted, 1, Self.millisecondsMax) == 1 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      // SAFETY: not more bytes are written than the array has.
      let count = unsafe Glibc.read(output, &bytes, bytes.count)
      if count >= 0 { return Array(bytes.prefix(count)) }
      if errno != EINTR { return [] }
    }
  }

  func send(_ signal: CInt) { if !hasEnded { kill(process, signal) } }

  /// Waits until it ends; its exit code, nil if it was ended by a signal.
  func wait() -> CInt? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var status: CInt = 0
    // SAFETY: the call writes the status.
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  private func end() {
    send(SIGTERM)
    _ = wait()
  }

  private static func environment(_ display: String?) -> [String] {
    var variables: [String] = []
    var next = unsafe environ
    // SAFETY: the environment is a list of texts that ends in zero; nobody here changes it.
    while let text = unsafe next.pointee {
      unsafe variables.append(String(cString: text))
      unsafe next += 1
    }
    guard let display else { return variables }
    return variables.filter { !$0.hasPrefix("DISPLAY=") } + ["DISPLAY=\(display)"]
  }

  private static func spawn(
    _ words: [String], _ variables: [String], output: CInt, _ isSilent: Bool
  ) -> pid_t? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    if isSilent { unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var environment = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer {
      for index in words.indices { unsafe free(arguments[index]) }
      for index in variables.indices { unsafe free(environment[index]) }
    }
    var process = pid_t()
    // SAFETY: the texts live until the call has returned.
    let result = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &environment)
    return result == 0 ? process : nil
  }
}
