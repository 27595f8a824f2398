import Mainspring
import MainspringTesting

/// The loop itself, on virtual time.
final class RealWorld: World {
  private let virtual = VirtualRunLoop()
  private let begin: RunLoop.Instant
  private var items: [RunLoop.Item] = []

  init() { begin = virtual.now }

  func end() {
    virtual.end()
    items = []
  }

  private var loop: RunLoop { virtual.loop }

  var now: Int { Int(begin.duration(to: virtual.now) / .milliseconds(1)) }

  private func instant(_ date: Int) -> RunLoop.Instant { begin.advanced(by: .milliseconds(date)) }

  func make(_ kind: Kind, as item: Int, for player: Player) {
    switch kind {
    case .source(let order):
      items.append(
        RunLoop.Source(
          order: order,
          onSchedule: { _, mode in player.note("schedule \(item) in \(mode)") },
          onCancel: { _, mode in player.note("cancel \(item) in \(mode)") }
        ) { _ in player.called(item, "source") })
    case .timer(let first):
      items.append(RunLoop.Timer(at: instant(first)) { _ in player.called(item, "timer") })
    case .repeatingTimer(let interval):
      items.append(RunLoop.Timer(every: .milliseconds(interval)) { _ in player.called(item, "timer") })
    case .rearmableTimer: items.append(RunLoop.Timer(rearmable: ()) { _ in player.called(item, "timer") })
    case .observer(let activities, let repeats, let order):
      items.append(
        RunLoop.Observer(.init(rawValue: activities), repeats: repeats, order: order) { _, activity in
          player.called(item, "\(activity)")
        })
    }
  }

  func signal(_ item: Int) { (items[item] as! RunLoop.Source).signal() }
  func wakeUp() { loop.wakeUp() }

  func perform(in modes: [String], for player: Player, block: Int) {
    if modes.count == 1 {
      loop.perform(in: RunLoop.Mode(modes[0])) { player.ran(block: block) }
    } else {
      loop.perform(in: modes.map { RunLoop.Mode($0) }) { player.ran(block: block) }
    }
  }

  func add(_ item: Int, to mode: String) -> Bool { loop.add(items[item], to: RunLoop.Mode(mode)) }
  func remove(_ item: Int, from mode: String) { loop.remove(items[item], from: RunLoop.Mode(mode)) }
  func invalidate(_ item: Int) { items[item].invalidate() }

  func setDate(_ item: Int, to date: Int?) -> Bool {
    (items[item] as! RunLoop.Timer).setFireDate(date.map(instant))
  }

  func spend(_ time: Int) { virtual.spend(.milliseconds(time)) }

  func run(_ ways: Act.Ways) -> String {
    let mode = RunLoop.Mode(ways.mode)
    let result =
      ways.passesOverStops && ways.limit > 0
      ? loop.run(
        until: virtual.now.advanced(by: .milliseconds(ways.limit)), in: mode,
        whenEmpty: ways.waitsWhenEmpty ? .wait : .finish)
      : loop.run(
        in: mode, for: .milliseconds(ways.limit), returnAfterSourceHandled: ways.returnAfterSource,
        whenEmpty: ways.waitsWhenEmpty ? .wait : .finish)
    return "\(result.reason) \(result.handledSource) \(result.stopsPassedOver)"
  }

  func stop(all: Bool) -> Bool { loop.stop(all ? .all : .innermost) }
  func cancelPendingStop() -> Bool { loop.cancelPendingStop() }
  func makeCommon(_ mode: String) { loop.addCommonMode(RunLoop.Mode(mode)) }
  func script(after delay: Int, _ event: @escaping () -> Void) { virtual.at(.milliseconds(delay), event) }
}
