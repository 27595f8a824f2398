import Synchronization

extension RunLoop: CustomDebugStringConvertible {
  /// The modes and what is in each, with the places in the source where the items were made. On another thread
  /// than the loop's: only whose loop it is.
  ///
  /// - Complexity: makes a line of text for each item; for debuggers and logs of faults.
  public var debugDescription: String {
    let thread = beacon.thread.load(ordering: .relaxed)
    let title = "RunLoop of thread \(thread)\(isMain ? " (main)" : "")"
    guard isOnOwnThread else { return title }
    let lines = scopes.flatMap(describe)
    let current =
      innermost.map { ", running in \($0.view.mode), nesting \(stops.depth)" }
      ?? (hasRun ? ", not running" : ", never run")
    return ([title + current] + lines).joined(separator: "\n")
  }

  private func describe(_ scope: Scope) -> [String] {
    let items = scope.membersInOrder.map(\.debugDescription).sorted().map { "    " + $0 }
    let isCommon = scope.mode != .common && commonModes.contains(scope.mode)
    let blocks = scope.blocks.liveCount
    let jobs = scope.jobCount
    return [
      "  \(scope.mode == .common ? "common modes" : "mode \(scope.mode)")\(isCommon ? " (common)" : "")"
        + (blocks == 0 ? "" : ", \(blocks) blocks queued") + (jobs == 0 ? "" : ", \(jobs) jobs queued")
    ] + items
  }
}
