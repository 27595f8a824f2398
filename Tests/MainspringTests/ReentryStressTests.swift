import Glibc
import LinuxKernel
import Mainspring
import Synchronization
import Testing

/// One loop on the kernel, whose callouts and whose objects' ends do whatever comes to mind, while other threads do the
/// same to it. Nobody but the loop holds its items for long. For the sanitizers above all.
@Suite(.serialized) struct ReentryStressTests {
  @Test(arguments: [false, true])
  func `M13, M26, M38: whatever callouts, ends and other threads do, the loop stays whole and keeps nothing`(
    spins: Bool
  ) {
    let census = StressTests.Census()
    do {
      let place = Playground(census, acts: 12_000 * StressTests.scale)
      let thread = TestThread { place.run(spins: spins) }
      place.isReady.pass()
      let others = (0..<3).map { _ in
        TestThread { while place.mayGoOn { place.act() } }
      }
      for other in others { other.join() }
      place.loop.value!.stop(.all)
      thread.join()
      #expect(place.itemCount == 0)
      place.loop.value = nil
    }
    #expect(census.count == 0)
  }
}

/// The loop, what is known of its items, and descriptors that others change behind its back.
private final class Playground: Sendable {
  let loop = Box<RunLoop>()
  let isReady = Gate()
  private let census: StressTests.Census
  private let left: Atomic<Int>
  private let loopThread = Atomic<UInt>(0)
  /// Runs and callouts on the loop's thread.
  private let depth = Atomic<Int>(0)
  private let known = Locked<[Known]>([])
  private let pipes = (0..<4).map { _ in SharedPipe() }
  private let seed = Atomic<UInt64>(1)

  private struct Known { weak var item: RunLoop.Item? }

  private static let modes: [RunLoop.Mode] = [.default, .common, .tracking, "reentry", "reentry 2"]
  private static let deepest = 5
  private static let itemsMost = 100

  init(_ census: StressTests.Census, acts: Int) {
    self.census = census
    left = Atomic(acts)
  }

  /// Whether there are acts left; takes one.
  var mayGoOn: Bool { left.wrappingSubtract(1, ordering: .relaxed).newValue > 0 }

  func run(spins: Bool) {
    let loop = RunLoop.current
    self.loop.value = loop
    loopThread.store(ThreadIdentity.current, ordering: .relaxed)
    if spins { loop.spinLimit = .microseconds(20) }
    isReady.open()
    while left.load(ordering: .relaxed) > 0 {
      loop.run(in: .default, for: .milliseconds(2), whenEmpty: .wait)
      act()
    }
    // Ends that come from here on do no more.
    loopThread.store(0, ordering: .relaxed)
  }

  private var isOnLoop: Bool { loopThread.load(ordering: .relaxed) == ThreadIdentity.current }

  /// From a callout or an end.
  private func actInside() {
    guard isOnLoop, depth.load(ordering: .relaxed) < Self.deepest, mayGoOn else { return }
    depth.wrappingAdd(1, ordering: .relaxed)
    for _ in 0..<Int.random(in: 0...2) { act() }
    depth.wrappingSubtract(1, ordering: .relaxed)
  }

  // MARK: acts

  private var mode: RunLoop.Mode { Self.modes.randomElement()! }

  func act() {
    guard let loop = loop.value else { return }
    switch Int.random(in: 0..<20) {
    case 0..<5: if hasRoom { make(on: loop) }
    case 5..<13: if let item = known.withLock({ $0.randomElement()?.item }) { change(item, on: loop) }
    case 13: loop.perform(in: mode, block())
    case 14: loop.perform(in: [mode, mode, mode], block())
    case 15: loop.update { [self] _ in actInside() }
    case 16: loop.stop(Int.random(in: 0..<8) == 0 ? .all : .innermost)
    case 17: loop.wakeUp()
    case 18: pipes.randomElement()!.stir()
    default: run(loop)
    }
  }

  private func run(_ loop: RunLoop) {
    guard isOnLoop, depth.load(ordering: .relaxed) < Self.deepest else { return }
    let mode = ([.default, .tracking, "reentry", "reentry 2"] as [RunLoop.Mode]).randomElement()!
    let limit: Duration = [.zero, .zero, .microseconds(100), .milliseconds(1)].randomElement()!
    if Int.random(in: 0..<20) == 0 { loop.addCommonMode("reentry 2") }
    switch Int.random(in: 0..<4) {
    case 0: loop.run(in: mode, for: limit, returnAfterSourceHandled: true, whenEmpty: .wait)
    case 1: loop.run(until: .now.advanced(by: limit), in: mode)
    default: loop.run(in: mode, for: limit, whenEmpty: .wait)
    }
  }

  private func block() -> @Sendable () -> Void {
    let end = End(self)
    return { withExtendedLifetime(end) { end.place.actInside() } }
  }

  /// What handlers, blocks and messages hold.
  final class End: Sendable {
    let place: Playground
    private let token: StressTests.Census.Token

    init(_ place: Playground) {
      self.place = place
      token = StressTests.Census.Token(place.census)
    }

    deinit { if Int.random(in: 0..<3) == 0 { place.actInside() } }
  }

  /// Whether there are not too many items: they are to come and go.
  private var hasRoom: Bool {
    known.withLock { known in
      if known.count > Self.itemsMost { known.removeAll { $0.item == nil } }
      return known.count <= Self.itemsMost
    }
  }

  /// How many items there still are.
  var itemCount: Int { known.withLock { $0.count { $0.item != nil } } }

  private func make(on loop: RunLoop) {
    let end = End(self)
    let item: RunLoop.Item
    switch Int.random(in: 0..<6) {
    case 0:
      item = RunLoop.Source(
        order: .random(in: -1...1), onSchedule: { _, _ in end.place.actInside() },
        onCancel: { _, _ in end.place.actInside() }
      ) { _ in end.place.actInside() }
    case 1:
      item = RunLoop.Timer(every: .microseconds(.random(in: 50...5000))) { _ in end.place.actInside() }
    case 2:
      item = RunLoop.Timer(
        after: .microseconds(.random(in: 0...3000)), tolerance: .microseconds(.random(in: 0...500))
      ) {
        _ in end.place.actInside()
      }
    case 3:
      item = RunLoop.Observer(
        .init(rawValue: .random(in: 1...63)), repeats: .random(), order: .random(in: -1...1)
      ) { _, _ in end.place.actInside() }
    case 4:
      item = RunLoop.Port<End>(capacity: Bool.random() ? 3 : nil) { _, _ in end.place.actInside() }
    default:
      let pipe = pipes.randomElement()!
      let source = RunLoop.DescriptorSource(
        pipe.number, interest: Bool.random() ? .read : [.read, .write],
        trigger: Bool.random() ? .edge : .level
      ) { source, _ in
        end.place.pipes.first { $0.number == source.descriptor }?.drain()
        end.place.actInside()
        // Pipes are always ready to write: nobody is to be busy with that alone.
        if Int.random(in: 0..<4) == 0 { source.invalidate() }
      }
      note(source)
      try? loop.add(source, to: mode)
      return
    }
    note(item)
    loop.add(item, to: mode)
  }

  private func note(_ item: RunLoop.Item) { known.withLock { $0.append(Known(item: item)) } }

  private func change(_ item: RunLoop.Item, on loop: RunLoop) {
    switch Int.random(in: 0..<12) {
    case 0, 1: loop.remove(item, from: mode)
    case 2:
      if let source = item as? RunLoop.DescriptorSource {
        try? loop.add(source, to: mode)
      } else {
        loop.add(item, to: mode)
      }
    case 3: item.invalidate()
    case 4: try? item.invalidateAndWait(for: .milliseconds(50))
    default: use(item, on: loop)
    }
  }

  private func use(_ item: RunLoop.Item, on loop: RunLoop) {
    switch item {
    case let source as RunLoop.Source:
      source.signal()
      if Bool.random() { loop.wakeUp() }
    case let timer as RunLoop.Timer:
      switch Int.random(in: 0..<4) {
      case 0: timer.tolerance = .microseconds(.random(in: 0...1000))
      case 1: timer.setFireDate(nil)
      default: timer.setFireDate(.now.advanced(by: .microseconds(.random(in: -50...2000))))
      }
    case let port as RunLoop.Port<End>:
      for _ in 0..<Int.random(in: 1...5) { port.send(End(self)) }
      if Int.random(in: 0..<10) == 0 { port.close() }
    case let source as RunLoop.DescriptorSource:
      source.interest = [[], .read, [.read, .write]].randomElement()!
    default: break
    }
  }
}

/// A descriptor number that stays the test's, though what stands behind it changes.
private final class SharedPipe: Sendable {
  private let held = Locked(Pipe())
  let number: CInt

  init() { number = held.withLock { $0.readEnd } }

  func drain() { held.withLock { _ = $0.drain() } }

  /// Writes into it, or lets the number stand for another file.
  func stir() {
    held.withLock { pipe in
      if Int.random(in: 0..<4) > 0 { return pipe.fill() }
      let other = Pipe()
      // The other's reading end goes to this number; its writing end, to the number of the former's.
      _ = dup2(other.readEnd, pipe.readEnd)
      _ = dup2(other.writeEnd, pipe.writeEnd)
    }
  }
}
