import LinuxKernel

extension RunLoop {
  /// Queues a block for a mode (or, with `.common`, for whichever common mode runs next) and wakes the loop if it
  /// sleeps in that mode. Any thread.
  ///
  /// Blocks run on the loop's thread, first in, first out among those that a run's mode matches, each once.
  ///
  /// - Returns: false if the loop has ended, or its thread was told to stop; the block will not run.
  @discardableResult
  public func perform(
    in mode: Mode, file: StaticString = #fileID, line: UInt = #line,
    _ block: consuming @escaping @Sendable () -> Void
  ) -> Bool {
    let site = CallSite(file, line)
    let isOwn = isOnOwnThread
    if isOwn, hasEnded || inbox.refusesBlocks { return false }
    if isOwn, !hasEarlierMail {
      queue(block, for: mode, site: site)
      return true
    }
    let entry = InboxEntry(site: site, content: .block(mode, consume block))
    return post(entry, concerning: ModeMask(mode))
  }

  /// Queues a block for several modes: it runs once, in whichever runs next. Otherwise as for one mode.
  ///
  /// - Returns: false if the loop has ended; the block will not run.
  /// - Precondition: there is a mode.
  @discardableResult
  public func perform(
    in modes: [Mode], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable () -> Void
  ) -> Bool {
    require(!modes.isEmpty, "a block without a mode would never run")
    let isOwn = isOnOwnThread
    if isOwn, hasEnded || inbox.refusesBlocks { return false }
    var different: [Mode] = []
    for mode in modes where !different.contains(mode) { different.append(mode) }
    let mask = different.reduce(into: ModeMask.none) { $0.formUnion(ModeMask($1)) }
    let shared = SharedBlock(modes: different, body: block)
    if isOwn, !hasEarlierMail {
      queue(shared, site: CallSite(file, line))
      return true
    }
    return post(InboxEntry(site: CallSite(file, line), content: .sharedBlock(shared)), concerning: mask)
  }

  /// Runs one drain: the blocks that were queued when it began, at most for a turn.
  ///
  /// One is taken at a time, so that a nested run in a block sees those behind it, in order.
  @inline(__always)
  func drainBlocks(of view: ModeView) {
    acceptInbox()
    if jobCount != 0 {
      drainWithJobs(of: view)
    } else if view.hasBlocks {
      drainQueued(of: view)
    }
  }

  @inline(never)
  func drainQueued(of view: ModeView) {
    let last = lastSequence
    var turn = Turn(of: Limit.blocksPerDrain)
    // In a child that a block made by fork, the others are the parent's to run.
    while !isInherited, !turn.isOver(on: self, view), let block = view.takeBlock(upTo: last) { run(block) }
  }

  @inline(__always)
  func run(_ block: consuming Block) {
    beginCallout(.block, block.site)
    // Moved out, to be called and released without being counted.
    switch block.body {
    case .alone(let body): body()
    case .shared(let shared, let mode): run(shared, takenIn: mode)
    }
    endCallout(.block)
  }

  private func run(_ shared: SharedBlock, takenIn mode: Mode) {
    guard let body = shared.take() else { return }
    for other in shared.modes where other != mode { scope(of: other).blocks.noteTaken() }
    body()
  }

  // MARK: queues

  /// Puts a block behind the others of its mode. On the loop's thread.
  @inline(__always)
  func queue(_ body: consuming @escaping @Sendable () -> Void, for mode: Mode, site: CallSite) {
    let block = Block(sequence: takeSequence(), site: site, body: .alone(body))
    if let target = blockTarget, target.mode == mode { return target.append(block) }
    let target = BlockTarget(scope(of: mode))
    blockTarget = target
    target.append(block)
  }

  /// Puts a block behind the others of each of its modes. On the loop's thread.
  func queue(_ block: SharedBlock, site: CallSite) {
    let sequence = takeSequence()
    for mode in block.modes {
      scope(of: mode).blocks.append(Block(sequence: sequence, site: site, body: .shared(block, in: mode)))
    }
  }
}
