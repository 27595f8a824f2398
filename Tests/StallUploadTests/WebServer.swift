import Glibc
import LinuxKernel
import Testing

/// nginx, on a port of this machine's own, in a folder that goes with it.
///
/// It keeps the body of every POST in a file, and answers as the path asks: `/ok`, `/429`, `/503`, `/413`, `/reset`. `/switched`
/// answers 503 as long as the file `down` is there.
final class WebServer: Sendable {
  let folder: String
  let port: UInt16

  struct StartError: Error {
    let reason: String
  }

  init() throws {
    // SAFETY: mkdtemp writes into the array, which ends in a zero.
    var template = Array("/tmp/mainspring-web.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw StartError(reason: "no folder: \(KernelError.current)")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    port = try Self.freePort()
    for name in ["bodies", "temporary"] { unsafe mkdir("\(folder)/\(name)", 0o700) }
    try write(configuration, to: "nginx.conf")
    // It returns when its sockets take connections.
    let status = try run("nginx", ["-p", folder, "-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf"])
    guard status == 0 else {
      throw StartError(reason: "nginx ends with \(status); is nginx-light installed?")
    }
  }

  deinit {
    _ = try? run(
      "nginx", ["-p", folder, "-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf", "-s", "quit"])
    _ = try? run("rm", ["-rf", folder])
  }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Whether `/switched` answers 503.
  func setDown(_ isDown: Bool) throws {
    if isDown { try write("", to: "down") } else { unsafe unlink("\(folder)/down") }
  }

  /// The bodies that came, in the order of their coming.
  func bodies() throws -> [[UInt8]] { try names(in: "bodies").sorted().map { try read("bodies/\($0)") } }

  /// The lines of the log: status, path, and the headers that matter.
  func log() throws -> [String] {
    String(decoding: try read("access.log"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private var configuration: String {
    """
    pid \(folder)/nginx.pid;
    error_log \(folder)/error.log;
    worker_processes 1;
    user root;
    events { worker_connections 64; }
    http {
      log_format seen '$status $uri $http_content_type $http_content_encoding $http_authorization';
      access_log \(folder)/access.log seen;
      client_body_temp_path \(folder)/bodies;
      proxy_temp_path \(folder)/temporary;
      fastcgi_temp_path \(folder)/temporary;
      uwsgi_temp_path \(folder)/temporary;
      scgi_temp_path \(folder)/temporary;
      server {
        listen 127.0.0.1:\(port);
        client_body_in_file_only on;
        location /ok { proxy_pass http://127.0.0.1:\(port)/taken; }
        location /switched {
          if (-f \(folder)/down) { return 503; }
          proxy_pass http://127.0.0.1:\(port)/taken;
        }
        location /taken { access_log off; client_body_in_file_only off; return 204; }
        location /429 { add_header Retry-After 7200 always; return 429; }
        location /503 { return 503; }
        location /401 { return 401; }
        location /moved { return 307 http://127.0.0.1:\(port)/ok; }
        location /small { client_max_body_size 2k; proxy_pass http://127.0.0.1:\(port)/taken; }
        location /tiny { client_max_body_size 16; proxy_pass http://127.0.0.1:\(port)/taken; }
        location /reset { return 444; }
      }
    }
    """
  }

  // MARK: files and programs

  private func write(_ text: String, to name: String) throws {
    let file = unsafe open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw KernelError.current }
    defer { close(file) }
    let bytes = Array(text.utf8)
    // SAFETY: writes the array's bytes.
    guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else { throw KernelError.current }
  }

  private func read(_ name: String) throws -> [UInt8] {
    let file = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw KernelError.current }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      // SAFETY: reads at most the array's length into the array.
      let count = unsafe Glibc.read(file, &piece, piece.count)
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  private func names(in name: String) throws -> [String] {
    guard let list = unsafe opendir("\(folder)/\(name)") else { throw KernelError.current }
    defer { unsafe closedir(list) }
    var names: [String] = []
    while let entry = unsafe readdir(list) {
      // SAFETY: the entry is valid until the next is read, and its name ends in a zero.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// A port that nothing listens on now.
  private static func freePort() throws -> UInt16 {
    let listener = try Listener()
    return listener.port
  }

  private func run(_ program: String, _ arguments: [String]) throws -> CInt {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var child = pid_t()
    // SAFETY: the words live until they are freed, after the call.
    let error = unsafe posix_spawnp(&child, program, nil, nil, &words, environ)
    guard error == 0 else { throw StartError(reason: "\(program): \(KernelError(error))") }
    var status: CInt = 0
    while unsafe waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw KernelError.current } }
    return status >> 8 & 0xFF
  }
}

/// A socket that takes connections, as the kernel does for it, and never says anything.
final class Listener: Sendable {
  let port: UInt16
  private let socket: OwnedDescriptor
  var number: CInt { socket.number }

  init() throws {
    let number = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw KernelError.current }
    socket = OwnedDescriptor(adopting: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the address is of the size given, and outlives the calls.
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, length) == 0 && listen(number, 64) == 0
          && getsockname(number, $0, &length) == 0
      }
    }
    guard isBound else { throw KernelError.current }
    port = UInt16(bigEndian: address.sin_port)
  }
}
