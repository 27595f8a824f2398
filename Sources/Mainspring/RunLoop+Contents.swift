extension RunLoop {
  /// How much of each kind a mode holds.
  public struct Contents: Hashable, Sendable {
    /// Version-0 sources.
    public var sources = 0
    /// Ports of whatever message type.
    public var ports = 0
    /// Descriptor sources.
    public var descriptorSources = 0
    /// Timers, armed or not, those of display links among them.
    public var timers = 0
    /// Observers.
    public var observers = 0
    /// Blocks that wait to be performed.
    public var blocks = 0
    /// Jobs of executors that wait to be run.
    public var jobs = 0
    /// Whether nothing of it could ever call anybody, so that a run in the mode is finished at once.
    public var isEmpty = true

    /// Nothing.
    public init() {}
  }

  /// What a run in the mode would see, the common modes' part included; with `.common`, that part alone. Only on the
  /// loop's thread.
  ///
  /// - Complexity: O(n) in the number of items.
  public func contents(of mode: Mode) -> Contents {
    requireOwnThread(to: "ask the contents of")
    var scopes = [existingScope(of: mode)]
    if commonModes.contains(mode) { scopes.append(existingScope(of: .common)) }
    return scopes.reduce(into: Contents()) { contents, scope in
      guard let scope else { return }
      for item in scope.membersInOrder { contents.count(item) }
      contents.blocks += scope.blocks.liveCount
      contents.jobs += scope.jobCount
      contents.isEmpty = contents.isEmpty && scope.isEmpty && scope.jobCount == 0
    }
  }
}

extension RunLoop.Contents {
  fileprivate mutating func count(_ item: RunLoop.Item) {
    switch item {
    case is RunLoop.Source: sources += 1
    case is RunLoop.AnyPort: ports += 1
    case is RunLoop.Timer: timers += 1
    case is RunLoop.Observer: observers += 1
    // It is there as its timer.
    case is RunLoop.DisplayLink: break
    default: descriptorSources += 1
    }
  }
}
