import Synchronization

extension RunLoop {
  /// A version-0 source: signalled by hand, performed by the loop in its next pass.
  ///
  /// Signalling marks the source and nothing else; it does not wake the loop (`RunLoop.wakeUp` does). Several
  /// signals before the perform make one. In a pass all signalled sources of the mode are performed, by order
  /// number, then by the time of their first signal (CFRunLoop's rules for version 0).
  public final class Source: Item, @unchecked Sendable {
    // Sendable: as `Item`; `signalSequence` and what is called belong to the loop's thread.
    private let signalled = Atomic<Bool>(false)
    @safe @exclusivity(unchecked) var signalSequence: UInt64 = 0
    @safe @exclusivity(unchecked) private var perform: SourceHandler
    private let registration: Registration?
    /// Callouts of it that are on: a nested run may perform a source again, within its own perform.
    @safe @exclusivity(unchecked) private var depth = 0
    /// How often it was performed.
    @safe @exclusivity(unchecked) private(set) var timesPerformed: UInt64 = 0

    /// What few sources want: to be told as they come into modes and leave them.
    private final class Registration {
      @safe @exclusivity(unchecked) var schedule: ModeChangeHandler
      @safe @exclusivity(unchecked) var cancel: ModeChangeHandler

      init(
        schedule: (@Sendable (Source, Mode) -> Void)?, cancel: (@Sendable (Source, Mode) -> Void)?
      ) {
        self.schedule = schedule.map { ModeChangeHandler($0) } ?? .none
        self.cancel = cancel.map { ModeChangeHandler($0) } ?? .none
      }

      func free() {
        _ = take(&schedule, leaving: .none)
        _ = take(&cancel, leaving: .none)
      }
    }

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
      self.perform = SourceHandler(perform)
      registration =
        onSchedule == nil && onCancel == nil
        ? nil : Registration(schedule: onSchedule, cancel: onCancel)
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

    @inline(__always)
    func callOut() {
      timesPerformed &+= 1
      depth += 1
      perform(self)
      endCallout()
    }

    @inline(__always)
    private func endCallout() {
      depth -= 1
      if depth == 0 { calloutEnded() }
    }

    var wantsModeChanges: Bool { registration != nil }

    func callSchedule(_ mode: Mode) {
      depth += 1
      registration?.schedule(self, mode)
      endCallout()
    }

    func callCancel(_ mode: Mode) {
      depth += 1
      registration?.cancel(self, mode)
      // What ends here may be the first of several, and handlers are still needed: who calls them sees to the rest.
      depth -= 1
    }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      guard isSignalled, enlist(in: scope.mode) else { return }
      // Signalled before there was a loop: the loop hears of it now.
      if signalSequence == 0 { signalSequence = scope.takeSequence() }
      scope.signalled.append(self)
    }

    override var isInCallout: Bool { depth > 0 }

    override func releaseHandlers() {
      guard depth == 0 else { return }
      _ = take(&perform, leaving: .none)
      registration?.free()
    }

    override var kindName: String { "source" }
    override var stateDescription: String { isSignalled ? "signalled" : "" }
  }
}
