extension RunLoop {
  /// Signals, for a task; see ``SignalSource`` for what has to be blocked, and where. Any thread.
  ///
  /// Sixty-four are kept. Then the stream leaves the others to the kernel, which loses none but of those that it merges, until
  /// half of the room is free.
  ///
  /// - Throws: what making the source throws (`SourceError`) or adding it (`DescriptorError`).
  public func signals(
    _ signals: [CInt], in mode: Mode = .common, file: StaticString = #fileID, line: UInt = #line
  ) throws -> EventStream<SignalSource.Delivery> {
    let (tap, stream) = EventTap<SignalSource.Delivery>.make(room: Limit.eventsKept)
    let source = try SignalSource(signals, file: file, line: line) { _, delivery in tap.put(delivery) }
    tap.serve(source)
    try add(source, to: mode)
    return stream
  }

  /// Changes of files and folders, for a task; see ``FileChanges``. Any thread.
  ///
  /// Sixty-four lots of changes are kept, each what one look found. Then the others are left to the kernel, which says
  /// `.overflowed` where it lost some, until half of the room is free.
  ///
  /// - Throws: what making the source throws (`SourceError`) or adding it (`DescriptorError`).
  public func fileChanges(
    at paths: [String], for events: FileChanges.Events = .all, in mode: Mode = .common,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> EventStream<[FileChanges.Change]> {
    let (tap, stream) = EventTap<[FileChanges.Change]>.make(room: Limit.eventsKept)
    let source = try FileChanges(file: file, line: line) { _, changes in tap.put(changes) }
    for path in paths { try source.watch(path, for: events) }
    tap.serve(source)
    try add(source, to: mode)
    return stream
  }

  /// Waits for a process to end; see ``ChildExit``. Any thread, but not in the loop's own callouts: the loop has to run.
  ///
  /// - Parameters:
  ///   - process: its number.
  ///   - reaps: whether a child that ended is reaped.
  /// - Returns: how it ended; nil if the task was cancelled, or the loop has ended, before.
  /// - Throws: what making the source throws (`SourceError`) or adding it (`DescriptorError`).
  public func exit(
    of process: CInt, reaps: Bool = true, in mode: Mode = .common, file: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> ChildExit.Ending? {
    let (tap, stream) = EventTap<ChildExit.Ending>.make()
    let source = try ChildExit(process: process, reaps: reaps, file: file, line: line) { _, ending in
      tap.put(ending)
    }
    tap.serve(source)
    try add(source, to: mode)
    var endings = stream.makeAsyncIterator()
    return await endings.next()
  }
}
