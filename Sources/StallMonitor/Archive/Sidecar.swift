import LinuxKernel
import StallReport

/// The hidden file in which a monitor says which of its stalls are on, so that who comes after a process that was killed
/// knows of them: `.d3b0c6a2.running`.
///
/// Whose it is, is known by a lock that the kernel lets go of when the process dies. It is written to, never mapped: a mapped
/// file that somebody shortens ends the program. (Docs/Decisions/0015)
final class Sidecar: Sendable {
  /// A number of this monitor's in this process, in hexadecimal digits.
  let token: String
  private let file: OpenFile
  private let identity: FileIdentity?

  private init(token: String, file: consuming OpenFile, identity: FileIdentity?) {
    (self.token, self.identity) = (token, identity)
    self.file = file
  }

  /// Makes one in a folder.
  static func make(in root: borrowing OpenFolder) throws(KernelError) -> Sidecar {
    for _ in 0..<attemptsMax {
      guard let made = try attempt(SidecarName.randomToken(), in: root) else { continue }
      EndOfProcess.add(made)
      return made
    }
    throw .exists
  }

  private static let attemptsMax = 16

  /// Nil if the name is taken, or if somebody has taken the file for that of a dead process before it was locked.
  private static func attempt(
    _ token: String, in root: borrowing OpenFolder
  ) throws(KernelError) -> Sidecar? {
    let name = SidecarName.of(token)
    do throws(KernelError) {
      let file = try root.makeFile(named: name)
      guard try file.lock(), let identity = file.identity, root.identity(of: name) == identity else {
        return nil
      }
      // Room, so that some stalls can be noted when the disk is full.
      try file.write(Array(repeating: UInt8(ascii: "\n"), count: roomByteCount))
      try file.write(SidecarRecords.header(hasEnded: false) + SidecarRecords.body([]))
      return Sidecar(token: token, file: file, identity: identity)
    } catch {
      guard error == .exists else { throw error }
      return nil
    }
  }

  private static let roomByteCount = 4096

  /// Whether it is still in the folder.
  func isThere(in root: borrowing OpenFolder) -> Bool {
    root.identity(of: SidecarName.of(token)) == identity
  }

  /// Says which stalls are on. One write, of some 20 µs where the disk is not held up.
  func write(_ stalls: [SidecarRecords.Stall]) throws(KernelError) {
    try file.write(SidecarRecords.body(stalls), at: SidecarRecords.headerCount)
  }

  /// Says that the process ends, and is not killed.
  func noteEnd() {
    guard !file.isInherited else { return }
    try? file.write(SidecarRecords.header(hasEnded: true))
  }

  /// The monitor ends; what it was to say is said.
  func remove(from root: borrowing OpenFolder) {
    EndOfProcess.remove(self)
    if isThere(in: root) { try? root.remove(SidecarName.of(token)) }
  }
}

/// The names of sidecars.
enum SidecarName {
  private static let ending = ".running"
  private static let digitCount = 8

  static func of(_ token: String) -> String { ".\(token)\(ending)" }

  static func token(in name: String) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(ending) else { return nil }
    let token = String(name.dropFirst().dropLast(ending.count))
    return isToken(token) ? token : nil
  }

  static func isToken(_ text: String) -> Bool {
    text.utf8.count == digitCount && text.utf8.allSatisfy(\.isHexadecimalDigit)
  }

  static func randomToken() -> String {
    let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: digitCount - digits.utf8.count) + digits
  }
}
