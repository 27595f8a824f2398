import CoreFoundation
import SimulationPrograms

extension CoreFoundationWorld {
  func make(_ kind: Program.Kind, as number: Int, for player: Player) {
    switch kind {
    case .source(let order):
      items.append(
        .source(
          CoreFoundationSource.make(order: order, player: player, number: number) { [unowned self] in isOver }
        ))
    case .timer(let first): items.append(.timer(timer(first, every: 0, number, player)))
    case .repeatingTimer(let interval): items.append(.timer(timer(interval, every: interval, number, player)))
    case .observer(let activities, let repeats, let order):
      let observer = CFRunLoopObserverCreateWithHandler(
        nil, CoreFoundationActivity.flags(of: activities), repeats, order
      ) { _, activity in player.called(number, .activity(CoreFoundationActivity.activity(of: activity))) }
      items.append(.observer(observer!))
    case .rearmableTimer, .descriptor, .port, .batch, .idleQueue:
      preconditionFailure("CFRunLoop has nothing like \(kind)")
    }
  }

  private func timer(_ first: Int, every interval: Int, _ number: Int, _ player: Player) -> CFRunLoopTimer {
    CFRunLoopTimerCreateWithHandler(nil, date(first), Double(interval) / 1000, 0, 0) { _ in
      player.called(number, .timer)
    }
  }

  /// CF 55: a date in the past means now.
  private func date(_ milliseconds: Int) -> CFAbsoluteTime {
    CFAbsoluteTimeGetCurrent() + (milliseconds > 0 ? Double(milliseconds) / 1000 : -1)
  }

  func add(_ number: Int, to mode: Program.Mode) -> Bool {
    let name = CoreFoundationMode.name(of: mode)
    switch items[number] {
    case .source(let source):
      CFRunLoopAddSource(loop, source, name)
      return CFRunLoopSourceIsValid(source)
    case .timer(let timer):
      CFRunLoopAddTimer(loop, timer, name)
      return CFRunLoopTimerIsValid(timer)
    case .observer(let observer):
      CFRunLoopAddObserver(loop, observer, name)
      return CFRunLoopObserverIsValid(observer)
    }
  }

  func remove(_ number: Int, from mode: Program.Mode) {
    let name = CoreFoundationMode.name(of: mode)
    switch items[number] {
    case .source(let source): CFRunLoopRemoveSource(loop, source, name)
    case .timer(let timer): CFRunLoopRemoveTimer(loop, timer, name)
    case .observer(let observer): CFRunLoopRemoveObserver(loop, observer, name)
    }
  }

  func invalidate(_ number: Int) {
    switch items[number] {
    case .source(let source): CFRunLoopSourceInvalidate(source)
    case .timer(let timer): CFRunLoopTimerInvalidate(timer)
    case .observer(let observer): CFRunLoopObserverInvalidate(observer)
    }
  }

  func signal(_ number: Int) {
    guard case .source(let source) = items[number] else { preconditionFailure("\(number) is no source") }
    CFRunLoopSourceSignal(source)
  }

  func setDate(_ number: Int, to date: Int?) -> Bool {
    guard case .timer(let timer) = items[number], let date else {
      preconditionFailure("\(number) is no timer, or is to be disarmed")
    }
    CFRunLoopTimerSetNextFireDate(timer, self.date(date))
    return CFRunLoopTimerIsValid(timer)
  }

  func update(_ changes: @escaping @Sendable () -> Void) { changes() }
  func makeCommon(_ mode: Program.Mode) { CFRunLoopAddCommonMode(loop, CoreFoundationMode.name(of: mode)) }

  func perform(in modes: [Program.Mode], for player: Player, block: Int) {
    CFRunLoopPerformBlock(loop, CoreFoundationMode.names(of: modes)) { player.ran(block: block) }
  }
}
