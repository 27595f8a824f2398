import Glibc
import LinuxKernel
import Mainspring
import MainspringTesting
import Synchronization
import Testing

/// Real threads at once, bounded to a second or so each; longer with MAINSPRING_LONG.
@Suite(.serialized) struct StressTests {
  static let scale = unsafe getenv("MAINSPRING_LONG") != nil ? 20 : 1

  /// How many tokens live.
  final class Census: Sendable {
    private let living = Atomic<Int>(0)
    var count: Int { living.load(ordering: .sequentiallyConsistent) }

    final class Token: Sendable {
      private let census: Census
      init(_ census: Census) {
        self.census = census
        census.living.wrappingAdd(1, ordering: .sequentiallyConsistent)
      }
      deinit { census.living.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
      func touch() {}
    }
  }

  private static func openDescriptors() -> Int {
    guard let folder = unsafe opendir("/proc/self/fd") else { return -1 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count
  }

  /// A thread whose loop runs until it is stopped, then ends.
  private static func startLoop(_ host: Box<RunLoop>) -> TestThread {
    let ready = Gate()
    let thread = TestThread {
      let loop = RunLoop.current
      host.value = loop
      ready.open()
      loop.runThroughStops(in: .default, whenEmpty: .wait)
    }
    ready.pass()
    return thread
  }

  @Test func `threads that add, move, remove and invalidate everything at once leave nothing behind`() {
    let census = Census()
    do {
      let hosts = [Box<RunLoop>(), Box<RunLoop>()]
      let threads = hosts.map { Self.startLoop($0) }
      let loops = hosts.map { $0.value! }
      let workers = (0..<4).map { worker in
        TestThread {
          var random = SeededRandom(seed: UInt64(worker))
          for _ in 0..<400 * Self.scale {
            Self.mischief(loops.randomElement(using: &random)!, census, &random)
          }
        }
      }
      for worker in workers { worker.join() }
      // Half of what is left is the end's.
      for loop in loops { loop.stop(.all) }
      for thread in threads { thread.join() }
      for loop in loops { #expect(!loop.perform(in: .default) {}) }
    }
    #expect(census.count == 0)
  }

  private static let modes: [RunLoop.Mode] = [.default, .common, "stress"]

  /// Something that is made on this thread, used on the loop, and given up at some point or not.
  private static func mischief(_ loop: RunLoop, _ census: Census, _ random: inout SeededRandom) {
    let token = Census.Token(census)
    let mode = modes.randomElement(using: &random)!
    let other = modes.randomElement(using: &random)!
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      let nests = Bool.random(using: &random)
      let timer = RunLoop.Timer(every: .microseconds(200)) { timer in
        token.touch()
        if nests { RunLoop.current.run(in: "stress", for: .zero) }
        if Int.random(in: 0..<4) == 0 { timer.invalidate() }
      }
      loop.add(timer, to: mode)
      timer.setFireDate(.now)
      if nests { loop.remove(timer, from: other) } else { loop.add(timer, to: other) }
      timer.setFireDate(nil)
      timer.setFireDate(RunLoop.Instant.now.advanced(by: .microseconds(50)))
      if Bool.random(using: &random) { timer.invalidate() }
    case 1:
      let source = RunLoop.Source(onSchedule: { _, _ in token.touch() }, onCancel: { _, _ in token.touch() })
      {
        source in
        token.touch()
        if Bool.random() { source.signal() } else { source.invalidate() }
      }
      loop.add(source, to: mode)
      source.signal()
      loop.wakeUp()
      try? source.invalidateAndWait(for: .milliseconds(200))
    case 2:
      let port = RunLoop.Port<Census.Token>(capacity: 20) { port, message in
        message.touch()
        RunLoop.current.run(in: "stress", for: .zero)
        port.send(message)
      }
      loop.add(port, to: mode)
      for _ in 0..<5 { port.send(token) }
      if Bool.random(using: &random) { port.close() } else { port.invalidate() }
    case 3:
      let pipe = Pipe()
      pipe.fill()
      let source = RunLoop.DescriptorSource(pipe.readEnd) { source, _ in
        pipe.drain()
        token.touch()
        if Bool.random() { source.interest = [] }
      }
      try? loop.add(source, to: mode)
      source.interest = [.read]
      // The pipe's end is the source's: its handler holds it.
      source.invalidate()
    case 4:
      let observer = RunLoop.Observer(.all, repeats: Bool.random(using: &random)) { observer, _ in
        token.touch()
        if Int.random(in: 0..<3) == 0 { RunLoop.current.remove(observer, from: .default) }
      }
      loop.add(observer, to: mode)
      if Bool.random(using: &random) {
        try? observer.invalidateAndWait(for: .milliseconds(200))
      } else {
        observer.invalidate()
      }
    case 5:
      loop.perform(in: [mode, other]) { token.touch() }
      loop.perform(in: .default) {
        token.touch()
        RunLoop.current.run(in: "stress", for: .microseconds(50))
      }
      loop.stop()
    default:
      loop.update { loop in
        token.touch()
        let timer = RunLoop.Timer(after: .zero) { _ in token.touch() }
        loop.add(timer, to: mode)
        loop.remove(timer, from: other)
      }
    }
  }

  @Test func `threads that post to loops that end are told, and nothing stays`() {
    let census = Census()
    for round in 0..<30 * Self.scale {
      let host = Box<RunLoop>()
      let thread = Self.startLoop(host)
      let loop = host.value!
      host.value = nil
      let tried = Atomic<Int>(0)
      let posters = (0..<3).map { poster in
        TestThread {
          var random = SeededRandom(seed: UInt64(round * 3 + poster))
          var tries = 0
          while loop.perform(in: .default, { _ = 0 }), tries < 100_000 {
            Self.mischief(loop, census, &random)
            tries += 1
            tried.wrappingAdd(1, ordering: .relaxed)
          }
          if tries == 100_000 { Issue.record("the end was never told") }
        }
      }
      // The end comes in the middle of it.
      while tried.load(ordering: .relaxed) < 100 { sched_yield() }
      loop.stop(.all)
      thread.join()
      for poster in posters { poster.join() }
    }
    #expect(census.count == 0)
  }

  @Test(arguments: [false, true])
  func `handing over from loop to loop and back loses no wake-up`(usesDescriptors: Bool) {
    let count = 5_000 * Self.scale * 2
    let hosts = [Box<RunLoop>(), Box<RunLoop>()]
    let threads = hosts.map { Self.startLoop($0) }
    let loops = hosts.map { $0.value! }
    let pipe = Pipe()
    if usesDescriptors {
      for loop in loops { try? loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .default) }
    }
    let done = Gate()
    let ports = Box<[RunLoop.Port<Int>]>()
    ports.value = [0, 1].map { side in
      RunLoop.Port<Int> { _, message in
        if message == count { done.open() } else { ports.value![1 - side].send(message + 1) }
      }
    }
    for side in [0, 1] { loops[side].add(ports.value![side], to: .default) }
    ports.value![0].send(0)
    done.pass()
    for port in ports.value! { port.invalidate() }
    ports.value = nil
    for loop in loops { loop.stop(.all) }
    for thread in threads { thread.join() }
  }

  @Test func `a stop ends the run that it says it met, or the next one`() {
    let host = Box<RunLoop>()
    let ready = Gate()
    let rounds = 3_000 * Self.scale
    let ended = Atomic<Int>(0)
    let thread = TestThread {
      host.value = RunLoop.current
      ready.open()
      // Each stop ends one run, whether it came while that was on or before.
      for _ in 0..<rounds {
        let result = RunLoop.current.run(in: .default, whenEmpty: .wait)
        if result.reason != .stopped { Issue.record("ended otherwise: \(result)") }
        ended.wrappingAdd(1, ordering: .sequentiallyConsistent)
      }
    }
    ready.pass()
    let loop = host.value!
    for round in 0..<rounds {
      loop.stop(round.isMultiple(of: 2) ? .innermost : .all)
      while ended.load(ordering: .sequentiallyConsistent) <= round { sched_yield() }
    }
    thread.join()
  }

  @Test func `threads with loops that come and go leave no descriptor and no memory`() throws {
    let pipe = Pipe()
    let cycle: @Sendable (Int) -> Void = { number in
      let loop = RunLoop.current
      let timer = RunLoop.Timer(every: .seconds(1)) { _ in }
      loop.add(timer, to: .common)
      if number.isMultiple(of: 2) {
        try? loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .default)
      }
      loop.perform(in: .default) {}
      loop.run(in: .default, for: .zero)
    }
    for number in 0..<20 { TestThread { cycle(number) }.join() }
    let before = Self.openDescriptors()
    let census = Census()
    for number in 0..<200 * Self.scale {
      let token = Census.Token(census)
      TestThread {
        RunLoop.current.add(RunLoop.Observer(.all) { _, _ in token.touch() }, to: .common)
        cycle(number)
      }.join()
    }
    #expect(census.count == 0)
    // Other tests have descriptors of their own meanwhile.
    #expect(Self.openDescriptors() < before + 100)
  }
}
