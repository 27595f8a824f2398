import LinuxKernel

extension RunLoop {
  /// Performs a block once in whichever of the modes runs next, in the place of the one that waits under the same key, if
  /// there is one. Any thread; wakes the loop if it sleeps in one of the modes.
  ///
  /// It is performed as a source is: after the blocks of a pass, by order number, those of one number in the order of
  /// their asking, also in a nested run in one of the modes; and it counts as one. Once its turn has come the key is free: what
  /// the block asks for under it is another.
  ///
  /// - Parameters:
  ///   - modes: `.common` stands for the common ones.
  ///   - order: smaller numbers are performed first.
  /// - Returns: false if the loop has ended, or its thread was told to stop; the block will not run. One that waits under
  ///   the key is taken back all the same.
  /// - Precondition: there is a mode.
  @discardableResult
  public func perform(
    in modes: [Mode], key: PerformKey, order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable () -> Void
  ) -> Bool {
    let source = Source(order: order, file: file, line: line) { source in
      if source.loop?.keyedBlocks.object?.take(key, if: source) ?? false {
        source.invalidate()
        block()
      }
    }
    return request(RequestedBlock(source, in: modes), key)
  }

  /// Performs a block once in whichever of the modes runs next, by order number. Otherwise as with a key.
  ///
  /// - Returns: false if the loop has ended, or its thread was told to stop; the block will not run.
  /// - Precondition: there is a mode.
  @discardableResult
  public func perform(
    in modes: [Mode], order: Int, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable () -> Void
  ) -> Bool {
    let source = Source(order: order, file: file, line: line) { source in
      source.invalidate()
      block()
    }
    return request(RequestedBlock(source, in: modes), nil)
  }

  /// Performs a block once after a delay, in whichever of the modes runs then or next, in the place of the one that waits
  /// under the same key, if there is one.
  ///
  /// The delay counts from now on the monotonic clock, whenever the loop runs; one of zero or less is over. Any thread.
  ///
  /// - Returns: the block's timer, which takes it back by `invalidate`; invalid if the loop has ended, or its thread was
  ///   told to stop.
  /// - Precondition: there is a mode.
  @discardableResult
  public func perform(
    in modes: [Mode], key: PerformKey? = nil, after delay: Duration, file: StaticString = #fileID,
    line: UInt = #line, _ block: @escaping @Sendable () -> Void
  ) -> Timer {
    let timer = Timer(after: delay, file: file, line: line) { timer in
      if let key, !(timer.loop?.keyedBlocks.object?.take(key, if: timer) ?? false) { return }
      timer.invalidate()
      block()
    }
    request(RequestedBlock(timer, in: modes), key)
    return timer
  }

  /// Takes back the block that waits under a key, if its turn has not come: then it will not run. Any thread.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func cancelPerform(_ key: PerformKey) -> Bool {
    guard !isInherited, let item = keyedBlocks.object?.take(key) else { return false }
    let wasMeant = item.isValid
    item.invalidate()
    return wasMeant
  }

  /// Takes back all blocks that wait under keys of an object. Any thread.
  ///
  /// - Returns: how many there were.
  /// - Complexity: O(n) in the number of blocks that wait under keys.
  @discardableResult
  public func cancelPerforms(of target: AnyObject) -> Int {
    cancelPerforms { $0.target == ObjectIdentifier(target) }
  }

  @discardableResult
  func cancelPerforms(where isMeant: (PerformKey) -> Bool) -> Int {
    guard !isInherited, let items = keyedBlocks.object?.takeAll(where: isMeant) else { return 0 }
    let meant = items.filter(\.isValid)
    for item in items { item.invalidate() }
    return meant.count
  }

  @discardableResult
  private func request(_ block: RequestedBlock, _ key: PerformKey?) -> Bool {
    require(!block.modes.isEmpty, "a block without a mode would never run")
    if let key, !isInherited {
      let keyed = keyedBlocks.object ?? keyedBlocks.setIfUnset(KeyedBlocks())
      // Known by its key before the loop has it, whose turn may come before this returns.
      keyed.replace(key, by: block.item)?.invalidate()
    }
    let isTaken: Bool
    if isOnOwnThread, hasEnded || inbox.refusesBlocks {
      isTaken = false
    } else if isOnOwnThread, !hasEarlierMail {
      enlist(block)
      isTaken = true
    } else {
      isTaken = post(
        InboxEntry(site: block.item.site, content: .request(block)), concerning: block.mask)
    }
    if !isTaken {
      if let key, !isInherited { _ = keyedBlocks.object?.take(key, if: block.item) }
      block.item.invalidate()
    }
    return isTaken
  }

  /// Takes a block in. On the loop's thread.
  func enlist(_ block: RequestedBlock) {
    guard block.item.isValid else { return }
    block.item.claim(for: self)
    for mode in block.modes { attach(block.item, to: mode) }
    (block.item as? Source)?.signal()
  }
}
