import LinuxKernel

/// A sidecar that lies in an archive's folder, and whether its process is gone. If it is, it is locked as long as this is
/// kept, so that no other process looks after the same reports.
final class FoundSidecar {
  enum Owner {
    case alive
    case gone
    /// It cannot be read or locked here.
    case unknown
  }

  let token: String
  let owner: Owner
  let records: SidecarRecords
  private let file: OpenFile?

  /// All that are in a folder.
  static func all(in root: borrowing OpenFolder) throws(KernelError) -> [FoundSidecar] {
    var tokens: [String] = []
    try root.forEachName { if let token = SidecarName.token(in: $0) { tokens.append(token) } }
    return tokens.sorted().compactMap { FoundSidecar(token: $0, in: root) }
  }

  /// Nil if it is not there any more.
  private init?(token: String, in root: borrowing OpenFolder) {
    self.token = token
    do throws(KernelError) {
      let file = try root.file(named: SidecarName.of(token), writable: true)
      let isGone = try file.lock()
      // Who had it before may have taken it away between the two calls.
      guard !isGone || root.identity(of: SidecarName.of(token)) == file.identity else { return nil }
      records = SidecarRecords(try file.contents(limit: Self.byteCountMax))
      owner = isGone ? .gone : .alive
      self.file = consume file
    } catch {
      guard error != .notThere else { return nil }
      (owner, records) = (.unknown, SidecarRecords())
      file = nil
    }
  }

  /// Thousands of stalls at once.
  private static let byteCountMax = 1 << 20

  /// Whether all of its process's stalls are known from it.
  var isComplete: Bool { owner != .unknown && !records.isDamaged }

  /// Takes that of a process that is gone away.
  func remove(from root: borrowing OpenFolder) {
    if owner == .gone { try? root.remove(SidecarName.of(token)) }
  }
}
