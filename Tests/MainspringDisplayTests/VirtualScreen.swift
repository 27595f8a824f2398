import ChildProcesses
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
      process = try ChildProcess.start(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"],
        [.from(ends[1], to: 1), .toNowhere(2)])
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
    let program = try ChildProcess.start(
      ["xrandr", "-display", name] + words, [.from(2, to: 1), .toNowhere(2)])
    try #require(Self.end(of: program) == 0, "xrandr \(words) failed")
  }

  /// Waits for the end of a process, and says its status.
  private static func end(of process: pid_t) -> CInt {
    var status: CInt = 0
    unsafe waitpid(process, &status, 0)
    return status
  }
}
