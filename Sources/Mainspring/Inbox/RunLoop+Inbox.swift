extension RunLoop {
  /// Sends an entry and wakes the loop if it sleeps in one of the modes. Any thread.
  ///
  /// The modes are asked for after the entry can be seen: those of an item may change until then, and the loop may fall
  /// asleep in one of its new modes meanwhile.
  @inline(__always)
  @discardableResult
  func post(_ entry: consuming InboxEntry, concerning modes: @autoclosure () -> ModeMask) -> Bool {
    // In a forked child another thread may have held the lock, and never will give it back.
    guard !isInherited, inbox.post(entry) else { return false }
    bell.ringIfAsleep(in: modes())
    return true
  }

  /// Lets the loop make a change to itself at its next boundary; says no if the loop has ended. Any thread.
  @discardableResult
  func send(
    concerning modes: @autoclosure () -> ModeMask, _ change: @escaping @Sendable (RunLoop) -> Void
  ) -> Bool {
    post(InboxEntry(site: .unknown, content: .change(change)), concerning: modes())
  }

  /// Whether something waits that was sent before what the loop's thread does now.
  ///
  /// Then what it does is sent as well, to be made once more after what others sent, which must not undo it: a date that
  /// another thread set and then, by whatever lock they share, left to this one. Nothing can come between, for a pass
  /// looks into the inbox before it looks for what is due. While an update from elsewhere is made, what waits was sent
  /// after that: it comes after it, too, whatever the loop happened to take in at a time.
  @inline(__always)
  var hasEarlierMail: Bool { !inbox.seemsEmpty && !isUpdating }

  /// Says that a source was signalled, and wakes nobody. Any other thread.
  func sendSignal(_ source: Source) {
    if !isInherited { _ = inbox.post(InboxEntry(site: source.site, content: .signal(source))) }
  }

  func sendMessageNotice(_ port: AnyPort) -> Bool {
    post(InboxEntry(site: port.site, content: .message(port)), concerning: port.mask)
  }

  /// Takes in what other threads sent: first in, first out, and nothing that comes during it more than once
  /// round. On the loop's thread, at a boundary between callouts.
  @inline(__always)
  func acceptInbox() {
    if !inbox.seemsEmpty { acceptWaiting() }
  }

  /// As `acceptInbox`, with a look under the lock.
  @inline(never)
  func acceptWaiting() {
    guard !isInherited else { return }
    var mayTakeMore = true
    while let entry = inbox.next(mayTakeMore: &mayTakeMore) { accept(entry) }
  }

  private func accept(_ entry: consuming InboxEntry) {
    let site = entry.site
    let content = entry.content
    switch consume content {
    case .block(let mode, let body): queue(consume body, for: mode, site: site)
    case .sharedBlock(let block): queue(block, site: site)
    case .request(let block): enlist(block)
    // SAFETY: as the entry's.
    case .job(let job, let gate): unsafe gate._withUnsafeGuaranteedRef { queue(job, at: $0) }
    case .signal(let source): enlistSignalled(source)
    case .message(let port): enlistReady(port)
    case .change(let change): change(self)
    }
  }

  /// Puts a signalled source on the list of each of its modes, in the order of first signals.
  func enlistSignalled(_ source: Source) {
    source.signalSequence = takeSequence()
    source.enlistInEachMode { mode in
      scope(of: mode).signalled.append(source)
    }
  }

  func enlistReady(_ port: AnyPort) {
    port.enlistInEachMode { mode in
      scope(of: mode).readyPorts.append(port)
    }
  }
}
