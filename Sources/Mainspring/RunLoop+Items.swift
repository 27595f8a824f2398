import LinuxKernel

extension RunLoop {
  /// Adds an item to a mode, or with `.common` to every common mode, also those that become common later.
  ///
  /// Takes effect at once on the loop's thread; from another it wakes the loop, if it sleeps in such a mode,
  /// and takes effect at its next boundary between callouts. Adding an item where it is already changes nothing.
  /// The loop holds the item until it is removed or invalid.
  ///
  /// - Returns: false if the item is invalid or the loop has ended.
  /// - Precondition: the item does not belong to another loop.
  @discardableResult
  public func add(_ item: Item, to mode: Mode) -> Bool {
    // A loop that has ended takes nothing, and so does not make it its own either.
    guard item.isValid, !isClosed, !(isOnOwnThread && hasEnded) else { return false }
    item.claim(for: self)
    if isOnOwnThread {
      attach(item, to: mode)
      if hasEarlierMail { send(concerning: .none) { $0.attach(item, to: mode) } }
      return true
    }
    return send(concerning: ModeMask(mode)) { $0.attach(item, to: mode) }
  }

  /// Adds a descriptor source as `add(_:to:)` does an item; what the kernel can say against it is said at once.
  ///
  /// Called on another thread than the loop's, and for modes that the loop first runs in later, the kernel may yet be
  /// short of descriptors or memory when the loop takes the source in: it is then told `.error`, and its `failure` says
  /// why.
  ///
  /// - Throws: why it could not be added; nothing was.
  /// - Precondition: the source does not belong to another loop.
  public func add(_ source: DescriptorSource, to mode: Mode) throws(RunLoop.DescriptorError) {
    guard source.isValid else { throw .invalidated }
    do throws(KernelError) {
      if !source.ownsDescriptor, try poller.kind(of: source.descriptor) == .file, source.files == .refuse {
        throw KernelError.notPermitted
      }
      if isOnOwnThread, !hasEnded { try openWaitSet(of: mode) }
    } catch {
      throw DescriptorError(error, of: source.descriptor)
    }
    guard add(source as Item, to: mode) else { throw .loopEnded }
    guard isOnOwnThread, let failure = source.failure else { return }
    remove(source, from: mode)
    source.failure = nil
    throw failure
  }

  /// Makes sure that there is something to wait with before a descriptor comes into a mode; in the common modes, for
  /// those that the loop has run in.
  private func openWaitSet(of mode: Mode) throws(KernelError) {
    do throws(KernelError) {
      if mode == .common {
        for view in views where commonModes.contains(view.mode) { try waitSet(of: view).open() }
      } else {
        try waitSet(of: view(of: mode)).open()
      }
    } catch {
      giveBackWaitSets()
      throw error
    }
  }

  /// The wait set of a mode that holds, or is to hold, descriptors; made at its first use.
  func waitSet(of view: ModeView) -> ModeWaitSet {
    if let present = view.waitSet { return present }
    let made = ModeWaitSet { () throws(KernelError) in try self.poller.makeWaitSet(for: self.bell) }
    view.waitSet = made
    for source in view.descriptors { made.add(source) }
    return made
  }

  /// Takes an item out of a mode, or with `.common` out of every common mode.
  ///
  /// On the loop's thread it is not called from that mode any more once this returns, also if it had been found
  /// ready; from its other modes it still is. From another thread this takes effect at the loop's next boundary
  /// between callouts. An item that is not there, or not this loop's, is left alone.
  public func remove(_ item: Item, from mode: Mode) {
    guard item.loop === self else { return }
    if isOnOwnThread {
      detach(item, from: mode)
      if hasEarlierMail { send(concerning: .none) { $0.detach(item, from: mode) } }
    } else {
      send(concerning: ModeMask(mode)) { $0.detach(item, from: mode) }
    }
  }

  /// Whether the item is served in the mode; for `.common`, whether it was added there and not removed again. Only on
  /// the loop's thread.
  public func contains(_ item: Item, in mode: Mode) -> Bool {
    requireOwnThread(to: "look into")
    return item.isMember(of: mode) || (commonModes.contains(mode) && item.isMember(of: .common))
      || (mode == .common && exceptedItems[ObjectIdentifier(item)] != nil)
  }

  /// Makes a mode one of the loop's common modes, for good. The default and the tracking mode are from the start.
  ///
  /// Any thread: at once on the loop's own, at the next boundary from others. What is in the common modes is served in
  /// this one from then on.
  ///
  /// - Precondition: the mode is not `.common` itself.
  public func addCommonMode(_ mode: Mode) {
    require(mode != .common, "the common modes cannot contain themselves")
    guard isOnOwnThread else {
      send(concerning: ModeMask(mode)) { $0.addCommonMode(mode) }
      return
    }
    guard commonModes.insert(mode).inserted else { return }
    view(of: mode).becomeCommon(with: existingScope(of: .common))
    guard let common = existingScope(of: .common) else { return }
    let members = common.membersInOrder
    let joining = members.filter { !$0.isMember(of: mode) }
    // An item that stood in both is seen through the common scope from now on.
    for item in members where item.isMember(of: mode) {
      if leave(item, scope(of: mode)).isInBatch { (item as? Timer)?.joinBatch(of: common) }
    }
    for source in common.descriptors { view(of: mode).waitSet?.add(source) }
    for exception in exceptedItems.values.sorted(by: { $0.sequence < $1.sequence }) {
      attach(exception.item, to: mode)
    }
    for source in joining.compactMap({ $0 as? Source }) where source.wantsModeChanges {
      callOut(.sourceRegistration, source.site) { source.callSchedule(mode) }
    }
  }

  /// Makes several changes one: in between, no run ends because its mode happens to be empty.
  ///
  /// On the loop's thread the changes are made before this returns; from another, all at the same boundary, on the
  /// loop's thread.
  ///
  /// - Returns: false if the loop has ended; nothing is changed then.
  @discardableResult
  public func update(_ changes: @escaping @Sendable (RunLoop) -> Void) -> Bool {
    guard isOnOwnThread else { return send(concerning: .all) { $0.makeUpdate(changes) } }
    changes(self)
    return true
  }

  private func makeUpdate(_ changes: (RunLoop) -> Void) {
    guard !hasEnded else { return }
    isUpdating = true
    changes(self)
    isUpdating = false
  }

  // MARK: on the loop's thread

  func attach(_ item: Item, to mode: Mode) {
    guard item.isValid, !hasEnded else { return }
    changingModes(of: item) {
      if mode == .common {
        forgetException(of: item)
        var place: Item.Place?
        for held in item.modes where commonModes.contains(held) {
          let left = leave(item, scope(of: held))
          place = place.map { $0.before(left) } ?? left
        }
        enter(item, scope(of: mode), keeping: place)
      } else if !commonModes.contains(mode) || !item.isMember(of: .common) {
        enter(item, scope(of: mode))
      }
    }
  }

  func detach(_ item: Item, from mode: Mode) {
    changingModes(of: item) {
      if mode == .common {
        forgetException(of: item)
        for held in item.modes where held == .common || commonModes.contains(held) {
          leave(item, scope(of: held))
        }
      } else if item.isMember(of: mode) {
        leave(item, scope(of: mode))
      } else if commonModes.contains(mode), item.isMember(of: .common) {
        // It stays in the other common modes, each by itself, and joins those that become common.
        let added = scope(of: .common).sequence(of: item)
        let place = leave(item, scope(of: .common))
        // The others' scopes may have been emptied already.
        if hasEnded { return }
        exceptedItems[ObjectIdentifier(item)] = Exception(item: item, sequence: place.sequence ?? added)
        for other in commonModes where other != mode {
          enter(item, scope(of: other), keeping: innermost?.view.mode == other ? place : place.outOfBatch)
        }
      }
    }
  }

  func finishInvalidation(of item: Item) {
    forgetException(of: item)
    changingModes(of: item) {
      while let held = item.firstMode { leave(item, scope(of: held)) }
    }
    item.releaseHandlers()
  }

  /// An item in the common modes except in some, and its place among those: who join a mode together keep their order.
  struct Exception {
    let item: Item
    let sequence: UInt64
  }

  /// The item is in all of the common modes again, or in none. Most loops have no such item to look for.
  private func forgetException(of item: Item) {
    if !exceptedItems.isEmpty { exceptedItems[ObjectIdentifier(item)] = nil }
  }

  /// - Parameter place: where the item stood among its equals, if it was served in the mode before, by another way.
  private func enter(_ item: Item, _ scope: Scope, keeping place: Item.Place? = nil) {
    guard !item.isMember(of: scope.mode) else { return }
    scope.insert(item)
    item.didAttach(to: scope, of: self, keeping: place)
    noteChangeForAnyHost()
  }

  @discardableResult
  private func leave(_ item: Item, _ scope: Scope) -> Item.Place {
    guard item.isMember(of: scope.mode) else { return Item.Place() }
    let place = item.place(in: scope)
    if item.isEnlisted(in: scope.mode) { scope.strike(item) }
    // What a pass has found, or is calling, lives until the pass is over.
    if innermost != nil { departed.append(item) }
    scope.remove(item)
    item.didDetach(from: scope, of: self)
    return place
  }

  /// Makes a change and tells a source which modes it came into and left by it.
  private func changingModes(of item: Item, _ change: () -> Void) {
    guard let source = item as? Source, source.wantsModeChanges else { return change() }
    let before = effectiveModes(of: source)
    change()
    let after = effectiveModes(of: source)
    for mode in before.subtracting(after).sorted() {
      callOut(.sourceRegistration, source.site) { source.callCancel(mode) }
    }
    // It may have been invalidated by one of them, and somebody wait for the last.
    if !source.isInCallout { source.calloutEnded() }
    for mode in after.subtracting(before).sorted() {
      callOut(.sourceRegistration, source.site) { source.callSchedule(mode) }
    }
  }

  private func effectiveModes(of item: Item) -> Set<Mode> {
    var modes = Set(item.modes)
    if modes.remove(.common) != nil { modes.formUnion(commonModes) }
    return modes
  }

  func forEachView(seeing scope: Scope, _ body: (ModeView) -> Void) {
    forEachView { view in if view.own === scope || view.common === scope { body(view) } }
  }

  // MARK: wait sets

  func forEachWaitSet(seeing scope: Scope, _ body: (ModeWaitSet) -> Void) {
    forEachView(seeing: scope) { view in if let set = view.waitSet { body(set) } }
  }

  /// Gives back the wait sets of modes that hold no descriptor any more; that of the mode that runs goes at its
  /// next look or at the end of its run.
  func giveBackWaitSets() {
    let running = innermost?.view
    forEachView { if $0 !== running { $0.giveBackWaitSet() } }
  }

  func forEachWaitSet(of source: DescriptorSource, _ body: (ModeWaitSet) -> Void) {
    forEachView { view in if let set = view.waitSet, view.includes(source) { body(set) } }
  }
}

extension Set where Element == RunLoop.Mode {
  fileprivate func sorted() -> [RunLoop.Mode] { sorted { $0.number < $1.number } }
}
