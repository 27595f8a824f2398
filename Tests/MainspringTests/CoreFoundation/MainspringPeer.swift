import Mainspring
import MainspringTesting

/// This loop, on virtual time.
final class MainspringPeer: Peer {
  private let virtual: VirtualRunLoop
  private let beginning: RunLoop.Instant
  private let made = Record<any PeerItem>()
  private var loop: RunLoop { virtual.loop }

  init() {
    virtual = VirtualRunLoop()
    beginning = virtual.now
  }

  func end() {
    for item in made.all { item.invalidate() }
    made.clear()
    virtual.end()
  }

  func observe(
    _ activities: RunLoop.Activity, repeats: Bool, order: Int, in modes: [String],
    _ body: @escaping @Sendable (RunLoop.Activity) -> Void
  ) -> any PeerItem {
    add(RunLoop.Observer(activities, repeats: repeats, order: order) { body($1) }, to: modes)
  }

  func addSource(
    order: Int, in modes: [String], onCancel: (@Sendable () -> Void)?,
    _ perform: @escaping @Sendable () -> Void
  ) -> any PeerItem {
    add(RunLoop.Source(order: order, onCancel: { _, _ in onCancel?() }) { _ in perform() }, to: modes)
  }

  func addTimer(
    after delay: Duration, every interval: Duration?, in modes: [String],
    _ handler: @escaping @Sendable () -> Void
  ) -> any PeerItem {
    let date = beginning.advanced(by: delay)
    guard let interval else { return add(RunLoop.Timer(at: date) { _ in handler() }, to: modes) }
    return add(RunLoop.Timer(every: interval, first: date) { _ in handler() }, to: modes)
  }

  private func add(_ item: RunLoop.Item, to modes: [String]) -> any PeerItem {
    for mode in modes { loop.add(item, to: RunLoop.Mode(mode)) }
    let told = MainspringItem(item, in: loop)
    made.add(told)
    return told
  }

  func perform(in modes: [String], _ block: @escaping @Sendable () -> Void) {
    loop.perform(in: modes.map { RunLoop.Mode($0) }, block)
  }

  func stop() { loop.stop() }

  func run(in mode: String, for limit: Duration?, returning: Bool) -> String {
    "\(loop.run(in: RunLoop.Mode(mode), for: limit, returnAfterSourceHandled: returning).reason)"
  }

  func run() -> String { "\(loop.run().reason)" }

  func addCommonMode(_ mode: String) { loop.addCommonMode(RunLoop.Mode(mode)) }
  var currentMode: String? { loop.currentMode?.name }
  var modes: [String] { loop.modes.map(\.name) }
  func spend(_ duration: Duration) { virtual.spend(duration) }
}

private final class MainspringItem: PeerItem {
  private let item: RunLoop.Item
  private let loop: RunLoop

  init(_ item: RunLoop.Item, in loop: RunLoop) {
    self.item = item
    self.loop = loop
  }

  private var timer: RunLoop.Timer { item as! RunLoop.Timer }

  func signal() { (item as! RunLoop.Source).signal() }
  func invalidate() { item.invalidate() }
  var isValid: Bool { item.isValid }
  func add(to mode: String) { loop.add(item, to: RunLoop.Mode(mode)) }
  func remove(from mode: String) { loop.remove(item, from: RunLoop.Mode(mode)) }
  func isMember(of mode: String) -> Bool { loop.contains(item, in: RunLoop.Mode(mode)) }
  var secondsUntilDue: Int? {
    timer.fireDate.map { Int((loop.now.duration(to: $0) / .seconds(1)).rounded()) }
  }
  func setDate(after delay: Duration) { timer.setFireDate(loop.now.advanced(by: delay)) }
}
