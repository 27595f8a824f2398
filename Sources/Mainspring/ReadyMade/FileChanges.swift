import LinuxKernel

extension RunLoop {
  /// What happens to files and folders, told as it happens.
  ///
  /// ```swift
  /// let changes = try RunLoop.FileChanges("/etc/app", for: .names) { source, changes in
  ///   for change in changes {
  ///     switch change.kind {
  ///     case .created, .movedTo: print("came: \(change.name ?? "")")
  ///     case .deleted, .movedFrom: print("went: \(change.name ?? "")")
  ///     case .overflow, .watchEnded: print("look at everything again")
  ///     default: break
  ///     }
  ///   }
  /// }
  /// try changes.watch("/etc/app/settings", for: .closedAfterWriting)
  /// try RunLoop.current.add(changes, to: .default)
  /// ```
  ///
  /// The handler is given what one reading found, in the order in which it happened: at most a few hundred changes; what
  /// is beyond follows in the next pass. A folder tells what happens to the names in it, not in the folders below. The
  /// watch is of what stands at the path when it is made: where a file is replaced by another of its name, as editors do,
  /// watch the folder. The two halves of a move (`movedFrom`, `movedTo`) have `move` in common; only that half is told of
  /// which the folder is watched.
  ///
  /// The kernel drops a change that is equal to the one before it, if that was not taken yet, and what exceeds its queue
  /// (`fs.inotify.max_queued_events`): then there is one change of the kind `overflow`. It tells what programs of this
  /// machine do: not what others do to a network file system, nor what is written through mapped memory.
  public final class FileChanges: DescriptorSource, @unchecked Sendable {
    // Sendable: as `DescriptorSource`; the reference is set once.
    /// Held by the handler's closure, and so as long as that.
    private weak var watched: WatchedFiles?

    /// Makes a source that watches nothing yet.
    ///
    /// - Parameters:
    ///   - order: smaller numbers are served first within what one look found ready.
    ///   - handler: called on the loop's thread with one change at least.
    /// - Throws: `.noDescriptorLeft` (there is a limit to the number of these sources, too), `.refused`.
    public convenience init(
      order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (FileChanges, [Change]) -> Void
    ) throws(SourceError) {
      try self.init(order, CallSite(file, line), handler) { _ throws(SourceError) in }
    }

    /// Makes a source that watches a path, as by `watch(_:for:followsLinks:)`.
    ///
    /// - Throws: also what that throws.
    public convenience init(
      _ path: String, for events: Events = .all, followsLinks: Bool = true, order: Int = 0,
      file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (FileChanges, [Change]) -> Void
    ) throws(SourceError) {
      try self.init(order, CallSite(file, line), handler) { files throws(SourceError) in
        try files.watch(path, for: events, followsLinks: followsLinks)
      }
    }

    private convenience init(
      _ order: Int, _ site: CallSite, _ handler: @escaping @Sendable (FileChanges, [Change]) -> Void,
      _ prepare: (WatchedFiles) throws(SourceError) -> Void
    ) throws(SourceError) {
      let files: WatchedFiles
      do throws(KernelError) {
        files = try WatchedFiles()
      } catch {
        throw SourceError(making: error)
      }
      try prepare(files)
      self.init(files, order: order, site: site, handler)
    }

    private init(
      _ files: WatchedFiles, order: Int, site: CallSite,
      _ handler: @escaping @Sendable (FileChanges, [Change]) -> Void
    ) {
      watched = files
      super.init(owning: files.number, order: order, site: site) { source in
        let changes = files.takeChanges()
        guard !changes.isEmpty, let source = source as? FileChanges else { return false }
        handler(source, changes)
        return true
      }
    }

    /// Watches a path. Any thread; on that of the loop as well as on others it takes as long as the file system does to
    /// find the path.
    ///
    /// A path that is watched already is watched for the given events instead of the former, and for what stands there
    /// now. Of a file with several watched paths each change is told for each of them.
    ///
    /// - Parameters:
    ///   - events: what to tell; the end of a watch, an unmounting and an overflow are told besides.
    ///   - followsLinks: whether a symbolic link stands for what it leads to, or is watched itself.
    /// - Throws: `.noSuchPath`, `.notPermitted`, `.noWatchLeft`, `.invalidated`, `.refused`.
    /// - Precondition: there are events to watch for.
    public func watch(
      _ path: String, for events: Events = .all, followsLinks: Bool = true
    ) throws(SourceError) {
      guard isValid, let watched else { throw .invalidated }
      try watched.watch(path, for: events, followsLinks: followsLinks)
    }

    /// Watches a path no more: what happened to it and was not told is not told any more, except by a handler that is on.
    /// Any thread.
    ///
    /// - Returns: whether it was watched.
    @discardableResult
    public func unwatch(_ path: String) -> Bool { usable?.forget(path) ?? false }

    /// The paths that are watched, sorted. Any thread.
    public var paths: [String] { usable?.paths ?? [] }

    /// In a forked child another thread may have held the lock, and never will give it back.
    private var usable: WatchedFiles? { isInherited ? nil : watched }

    override var kindName: String { "file changes" }
    override var stateDescription: String { "paths \(paths.isEmpty ? "none" : paths.joined(separator: " "))" }
  }
}
