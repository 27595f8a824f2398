import Mainspring
import MainspringTesting

/// The loop itself, on virtual time.
package final class LoopWorld: World {
  private let virtual = VirtualRunLoop()
  private let begin: RunLoop.Instant
  var items: [Held] = []
  private var tokens: [RunLoop.Token] = []
  private let clock: Clock
  let holder: Holder
  /// What happens now happens on another thread, as far as the loop can tell.
  private(set) var isElsewhere = false
  private(set) var hasEnded = false
  /// Ends that are noticed and are yet to come.
  var farewellsToCome = 0

  package enum Clock {
    /// Stands still but for sleeps and where time is spent.
    case virtual
    /// Not shown, and a little later with each date that is set: as one that nobody stops, where time does not matter.
    case hidden
  }

  /// Who holds the items that the program has.
  package enum Holder {
    case world
    /// From their first adding on the loop alone: an item is gone once it is in no mode. The end of whatever a handler, a
    /// block or a message holds performs a block of the program's.
    case loop
  }

  package init(tokenCount: Int = 0, clock: Clock = .virtual, holder: Holder = .world) {
    self.clock = clock
    self.holder = holder
    begin = virtual.now
    tokens = (0..<tokenCount).map { _ in RunLoop.Token() }
    // The trace is not looked at, and its texts would take most of the time.
    virtual.loop.tracer = nil
  }

  package func end() {
    hasEnded = true
    virtual.end()
    for index in items.indices { items[index].strongly = nil }
  }

  var loop: RunLoop { virtual.loop }

  package var now: Int {
    switch clock {
    case .virtual: Int(begin.duration(to: virtual.now).saturatingNanoseconds / 1_000_000)
    case .hidden: 0
    }
  }

  func instant(_ date: Int) -> RunLoop.Instant {
    if clock == .virtual { return begin.advanced(by: .milliseconds(date)) }
    virtual.spend(.microseconds(1))
    return virtual.now.advanced(by: .milliseconds(date))
  }

  private static let modes = [.default, .tracking, .initialization, RunLoop.Mode("other"), .common]
  private func loopMode(_ mode: Program.Mode) -> RunLoop.Mode { Self.modes[mode.rawValue] }
  static func programMode(_ mode: RunLoop.Mode) -> Program.Mode {
    Program.Mode(rawValue: modes.firstIndex(of: mode)!)!
  }

  package func signal(_ item: Int) { (self.item(item) as RunLoop.Source?)?.signal() }
  package func wakeUp() { loop.wakeUp() }

  package func perform(in modes: [Program.Mode], for player: Player, block: Int) {
    let end = farewell(by: player, block: block + 1)
    let body: @Sendable () -> Void = { withExtendedLifetime(end) { player.ran(block: block) } }
    if modes.count == 1 {
      loop.perform(in: loopMode(modes[0]), body)
    } else {
      loop.perform(in: modes.map { loopMode($0) }, body)
    }
  }

  package func add(_ item: Int, to mode: Program.Mode) -> Bool {
    guard let added = items[item].weakly else { return false }
    defer { if holder == .loop { items[item].strongly = nil } }
    guard let source = added as? RunLoop.DescriptorSource else { return loop.add(added, to: loopMode(mode)) }
    do throws(RunLoop.DescriptorError) {
      try loop.add(source, to: loopMode(mode))
      return true
    } catch {
      return false
    }
  }

  package func remove(_ item: Int, from mode: Program.Mode) {
    if let removed = items[item].weakly { loop.remove(removed, from: loopMode(mode)) }
  }

  package func invalidate(_ item: Int) { items[item].weakly?.invalidate() }

  package func update(_ changes: @escaping @Sendable () -> Void) { loop.update { _ in changes() } }

  package func setDate(_ item: Int, to date: Int?) -> Bool {
    (self.item(item) as RunLoop.Timer?)?.setFireDate(date.map(instant)) ?? false
  }

  package func send(_ message: Int, for player: Player, to item: Int) -> Event.Sending {
    guard let port: RunLoop.Port<Letter> = self.item(item) else { return .closed }
    switch port.send(Letter(message, farewell(by: player, block: message))) {
    case .sent: return .sent
    case .full: return .full
    case .closed: return .closed
    }
  }

  package func close(_ item: Int) { (self.item(item) as RunLoop.Port<Letter>?)?.close() }

  package func setInterest(of item: Int, to interest: Program.Readiness) {
    (self.item(item) as RunLoop.DescriptorSource?)?.interest = .init(rawValue: interest.rawValue)
  }

  package func setReadiness(of descriptor: Int, to readiness: Program.Readiness) {
    virtual.setReadiness(
      .init(rawValue: readiness.rawValue), of: Self.number(ofDescriptor: descriptor))
  }

  package func signalToken(_ token: Int) { tokens[token].signal() }
  package func spend(_ time: Int) { virtual.spend(.milliseconds(time)) }
  package func stop(all: Bool) -> Bool { loop.stop(all ? .all : .innermost) }
  package func cancelPendingStop() -> Bool { loop.cancelPendingStop() }
  package func makeCommon(_ mode: Program.Mode) { loop.addCommonMode(loopMode(mode)) }
  package func script(after delay: Int, _ event: @escaping () -> Void) {
    virtual.at(.milliseconds(delay)) { [self] in
      isElsewhere = true
      event()
      isElsewhere = false
    }
  }

  package func run(_ run: Act.Run) -> Event.Result {
    let mode = loopMode(run.mode)
    let limit = run.limit.map { Duration.milliseconds($0) }
    let result =
      switch run.way {
      case .plain(let returnAfterSource, let waitsWhenEmpty):
        loop.run(
          in: mode, for: limit, returnAfterSourceHandled: returnAfterSource,
          whenEmpty: waitsWhenEmpty ? .wait : .finish)
      case .overStops(let waitsWhenEmpty):
        if let limit {
          loop.run(
            until: virtual.now.advanced(by: limit), in: mode, whenEmpty: waitsWhenEmpty ? .wait : .finish)
        } else {
          loop.runThroughStops(in: mode, whenEmpty: waitsWhenEmpty ? .wait : .finish)
        }
      case .untilHandled(let item): self.run(untilHandled: item, in: mode, for: limit)
      case .untilToken(let token): loop.run(until: tokens[token], in: mode, for: limit)
      }
    return Event.Result(
      Event.Reason(result.reason), handledSource: result.handledSource,
      stopsPassedOver: result.stopsPassedOver)
  }
}

extension Event.Reason {
  fileprivate init(_ reason: RunLoop.RunResult.Reason) {
    switch reason {
    case .stopped: self = .stopped
    case .signalled: self = .signalled
    case .handledSource: self = .handledSource
    case .timedOut: self = .timedOut
    case .finished: self = .finished
    }
  }
}
