import CWaylandClient
import ChildProcesses
import Glibc
import Testing

/// A compositor that shows its output to nobody, about sixty frames a second; it goes with this object.
final class HeadlessCompositor: Sendable {
  private let process: pid_t
  private let folder: String
  /// The path of its socket.
  var socket: String { folder + "/display" }

  init() throws {
    var template = Array("/tmp/compositor-XXXXXX".utf8CString)
    // SAFETY: the template is a C string of this function's, and is filled in place.
    guard unsafe mkdtemp(&template) != nil else { throw Failure.noFolder }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.folder = folder
    // Its frames are nearer to sixty a second if it begins to draw right after the last one.
    try Self.write("[core]\nrepaint-window=16\nmodules=systemd-notify.so\n", to: folder + "/config")
    let notice = try Self.listen(at: folder + "/notice")
    defer { close(notice) }
    process = try ChildProcess.start(
      [
        "weston", "--backend=headless-backend.so", "--shell=fullscreen-shell.so", "--width=320",
        "--height=240",
        "--socket=display", "--config=\(folder)/config", "--idle-time=0",
      ], [.toNowhere(1), .toNowhere(2)],
      environment: [
        "XDG_RUNTIME_DIR=\(folder)", "NOTIFY_SOCKET=\(folder)/notice",
        unsafe getenv("PATH").map { unsafe "PATH=" + String(cString: $0) } ?? "PATH=/usr/bin",
      ])
    // It says so when it takes connections. The limit is only reached where it does not start.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    var word = [UInt8](repeating: 0, count: 256)
    // SAFETY: both buffers are of the sizes that are given.
    unsafe setsockopt(notice, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let count = unsafe recv(notice, &word, word.count, 0)
    try #require(count > 0, "weston does not start; is it installed?")
  }

  enum Failure: Error { case noFolder, noSocket }

  /// A program with a window on it.
  func client() throws -> WaylandClient { try WaylandClient(socket: socket) }

  /// Ends it, and returns when it has ended.
  func end() {
    kill(process, SIGTERM)
    var status: CInt = 0
    // Whoever comes second finds nobody.
    unsafe waitpid(process, &status, 0)
  }

  deinit {
    end()
    for name in ["config", "notice", "display", "display.lock"] { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  private static func write(_ text: String, to path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = Array(text.utf8)
    // SAFETY: as many bytes are written as the array has.
    guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Failure.noFolder }
  }

  private static func listen(at path: String) throws -> CInt {
    let socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path is short, and the rest of the address is zero.
    let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      unsafe bytes.baseAddress!.advanced(by: 2).copyMemory(from: path, byteCount: path.utf8.count)
      return unsafe bind(
        socket, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard result == 0 else { throw Failure.noSocket }
    return socket
  }
}
