import Synchronization

extension RunLoop {
  /// A version-0 source: signalled by hand, performed by the loop in its next pass.
  ///
  /// Signalling marks the source and nothing else; it does not wake the loop (`RunLoop.wakeUp` does). Several
  /// signals before the perform make one. In a pass all signalled sources of the mode are performed, by order
  /// number, then by the time of their first signal (CFRunLoop's rules for version 0).
  public final class Source: Item, @unchecked Sendable {
    // Sendable: as `Item`; `signalSequence` and the slots belong to the loop's thread.
    private let signalled = Atomic<Bool>(false)
    @safe @exclusivity(unchecked) var signalSequence: UInt64 = 0
    private let perform: Slot<Source>
    private let schedule: Slot<(Source, Mode)>?
    private let cancel: Slot<(Source, Mode)>?

    /// A source that calls `perform` on the loop's thread in the pass after it was signalled.
    ///
    /// - Parameters:
    ///   - order: smaller numbers are performed first.
    ///   - onSchedule: called on the loop's thread when the source comes into a mode, once for each.
    ///   - onCancel: called there when it leaves one, once for each: by removal, by invalidation, or because the loop's
    ///     thread ends.
    ///   - perform: called on the loop's thread when the source was signalled, with the signal taken back before, so
    ///     that it may signal itself.
    public init(
      order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      onSchedule: (@Sendable (Source, Mode) -> Void)? = nil,
      onCancel: (@Sendable (Source, Mode) -> Void)? = nil,
      perform: @escaping @Sendable (Source) -> Void
    ) {
      self.perform = Slot(perform)
      schedule = onSchedule.map { handler in Slot { handler($0.0, $0.1) } }
      cancel = onCancel.map { handler in Slot { handler($0.0, $0.1) } }
      super.init(order: order, site: CallSite(file, line))
    }

    /// Marks the source to be performed. Any thread; wakes nobody: `RunLoop.wakeUp` does that. In no mode, or before
    /// there is a loop, the mark waits.
    public func signal() {
      guard isValid, !signalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
      guard let loop else { return }
      if loop.isOnOwnThread {
        loop.enlistSignalled(self)
      } else {
        loop.sendSignal(self)
      }
    }

    /// Whether it is marked and was not performed since. Any thread.
    public var isSignalled: Bool { signalled.load(ordering: .acquiring) }

    func clearSignal() { signalled.store(false, ordering: .releasing) }

    func callOut() { perform.call(self) }

    var wantsModeChanges: Bool { schedule != nil || cancel != nil }
    func callSchedule(_ mode: Mode) { schedule?.call((self, mode)) }
    func callCancel(_ mode: Mode) { cancel?.call((self, mode)) }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      guard isSignalled, enlist(in: scope.mode) else { return }
      // Signalled before there was a loop: the loop hears of it now.
      if signalSequence == 0 { signalSequence = scope.takeSequence() }
      scope.signalled.append(self)
    }

    override var isInCallout: Bool {
      perform.isInCallout || (schedule?.isInCallout ?? false) || (cancel?.isInCallout ?? false)
    }

    override func report(to departure: Departure) {
      perform.report(to: departure)
      schedule?.report(to: departure)
      cancel?.report(to: departure)
    }

    override func releaseHandlers() {
      perform.giveUp()
      schedule?.giveUp()
      cancel?.giveUp()
    }

    override var kindName: String { "source" }
    override var stateDescription: String { isSignalled ? "signalled" : "" }
  }
}
