import Glibc
import Testing

/// A server that a test needs, in a folder of its own; both go with this object.
final class Server {
  let folder: String
  private var process: pid_t = 0

  init() throws {
    var template = Array("/tmp/bridges-XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template)
    folder = try #require(unsafe made.map { unsafe String(cString: $0) })
  }

  /// Makes the folder belong to the user `name`, if the test runs as one who may.
  func give(to name: String) throws {
    guard geteuid() == 0 else { return }
    try run(["chown", name + ":", folder])
  }

  /// Runs a program to its end.
  func run(_ words: [String]) throws { _ = try output(of: words) }

  /// Runs a program to its end; gives what it said.
  func output(of words: [String]) throws -> String {
    let (made, output) = try spawn(words)
    let said = Server.read(from: output) { _ in false }
    close(output)
    var status: CInt = 0
    unsafe waitpid(made, &status, 0)
    try #require(status == 0, "\(words[0]): \(said)")
    return said
  }

  /// Starts a server, and returns when it says the text.
  func start(_ words: [String], until text: String) throws {
    let output: CInt
    (process, output) = try spawn(words)
    let said = Server.read(from: output) { $0.contains(text) }
    try #require(said.contains(text), "\(words[0]): \(said)")
    // What it says from here on is read by nobody, and fits the pipe.
  }

  deinit {
    if process > 0 {
      // PostgreSQL would wait for its clients after a SIGTERM.
      kill(process, SIGINT)
      var status: CInt = 0
      unsafe waitpid(process, &status, 0)
    }
    try? run(["rm", "-rf", folder])
  }

  private static func read(from output: CInt, until isDone: (String) -> Bool) -> String {
    var (said, bytes) = ("", [UInt8](repeating: 0, count: 4096))
    while !isDone(said) {
      // SAFETY: not more bytes are read than the array has.
      let count = unsafe Glibc.read(output, &bytes, bytes.count)
      if count <= 0 { break }
      said += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    return said
  }

  private func spawn(_ words: [String]) throws -> (pid_t, CInt) {
    var ends: [CInt] = [0, 0]
    unsafe pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for output in [CInt(1), 2] { unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], output) }
    // A server that blocked what the thread here blocks could not be ended.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe withUnsafeTemporaryAllocation(of: sigset_t.self, capacity: 1) { none in
      unsafe sigemptyset(none.baseAddress!)
      unsafe posix_spawnattr_setsigmask(&attributes, none.baseAddress!)
    }
    unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK))
    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in words.indices { unsafe free(pointers[index]) } }
    var made = pid_t()
    // SAFETY: the strings live until the call has returned.
    let result = unsafe posix_spawnp(&made, words[0], &actions, &attributes, &pointers, environ)
    try #require(result == 0, "\(words[0]) cannot be started: \(result)")
    return (made, ends[0])
  }
}

extension Server {
  /// PostgreSQL, which will not run as root.
  static func postgres() throws -> Server {
    let server = try Server()
    try server.give(to: "postgres")
    let folder = "/usr/lib/postgresql/15/bin/"
    let prefix = geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    let data = server.folder + "/data"
    try server.run(
      prefix + [folder + "initdb", "-D", data, "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8"])
    try server.start(
      prefix + [folder + "postgres", "-D", data, "-k", server.folder, "-c", "listen_addresses="],
      until: "ready to accept connections")
    return server
  }

  static func redis() throws -> Server {
    let server = try Server()
    try server.start(
      [
        "redis-server", "--port", "0", "--unixsocket", server.folder + "/redis", "--save", "", "--dir",
        server.folder,
      ],
      until: "eady to accept connections")
    return server
  }
}
