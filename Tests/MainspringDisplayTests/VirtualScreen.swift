import Glibc
import Testing

/// An X server that shows its screen to nobody, at 60 frames a second; it goes with this object.
final class VirtualScreen: Sendable {
  private let process: pid_t
  /// As in DISPLAY.
  let name: String

  init() throws {
    var ends: [CInt] = [0, 0]
    unsafe pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    // It says its number when it takes connections.
    do {
      // Ours is closed when it has its own: the pipe is to end with the server.
      defer { close(ends[1]) }
      process = try Self.spawn(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"],
        output: ends[1])
    }
    var digits = [UInt8](repeating: 0, count: 16)
    var number = ""
    while !number.hasSuffix("\n") {
      // SAFETY: not more bytes are read than the array has.
      let count = unsafe read(ends[0], &digits, digits.count)
      try #require(count > 0, "Xvfb does not start; is xvfb installed?")
      number += String(decoding: digits.prefix(count), as: UTF8.self)
    }
    name = ":" + number.dropLast()
  }

  /// Ends the server, and returns when it has ended.
  func end() {
    kill(process, SIGTERM)
    // Whoever comes second finds nobody.
    _ = Self.end(of: process)
  }

  deinit { end() }

  /// Has it show a mode of its own, which says that it has 75 frames a second: 7.5 MHz for 400 times 250 pixels.
  func addMode() throws {
    let mode = ["75", "7.5", "320", "330", "340", "400", "240", "245", "248", "250"]
    try configure(["--newmode"] + mode)
    try configure(["--addmode", "screen", "75"])
    try showMode("75")
  }

  func showMode(_ name: String) throws { try configure(["--output", "screen", "--mode", name]) }

  private func configure(_ words: [String]) throws {
    let program = try Self.spawn(["xrandr", "-display", name] + words, output: 2)
    try #require(Self.end(of: program) == 0, "xrandr \(words) failed")
  }

  /// Waits for the end of a process, and says its status.
  private static func end(of process: pid_t) -> CInt {
    var status: CInt = 0
    unsafe waitpid(process, &status, 0)
    return status
  }

  private static func spawn(_ words: [String], output: CInt) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
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
    try #require(result == 0, "no process to be had: \(result)")
    return made
  }
}
