import Glibc
@testable import Mainspring
import MainspringTesting
import Synchronization
import Testing

private typealias InvalidationError = RunLoop.InvalidationError

@Suite struct InvalidateAndWaitTests {
  /// A loop on a thread of its own that runs until it is stopped.
  private final class Host: Sendable {
    let loop = Box<RunLoop>()
    let ready = Gate()

    func start() -> TestThread {
      let thread = TestThread { [self] in
        let own = RunLoop.current
        loop.value = own
        own.perform(in: .default) { self.ready.open() }
        own.run(in: .default, whenEmpty: .wait)
      }
      ready.pass()
      return thread
    }
  }

  @Test func `M26: from another thread it waits for the callout in progress`() throws {
    let host = Host()
    let thread = host.start()
    let (begun, mayEnd) = (Gate(), Gate())
    let ended = ReleaseFlag()
    let source = RunLoop.Source { _ in
      begun.open()
      mayEnd.pass()
      ended.raise()
    }
    let loop = host.loop.value!
    loop.add(source, to: .default)
    source.signal()
    loop.wakeUp()
    begun.pass()
    #expect(throws: InvalidationError.limitPassed) { try source.invalidateAndWait(for: .milliseconds(1)) }
    #expect(!ended.isRaised)
    #expect(!source.isValid, "it is invalid all the same")
    let waiter = TestThread {
      do throws(InvalidationError) { try source.invalidateAndWait() } catch { Issue.record("\(error)") }
      if !ended.isRaised { Issue.record("it did not wait") }
    }
    mayEnd.open()
    waiter.join()
    #expect(ended.isRaised)
    loop.stop()
    thread.join()
  }

  @Test func `M26: it waits for the callout around a nested run, too`() throws {
    let host = Host()
    let thread = host.start()
    let loop = host.loop.value!
    let begun = Gate()
    let token = RunLoop.Token()
    let ended = ReleaseFlag()
    let timer = RunLoop.Timer(after: .zero) { _ in
      loop.perform(in: "inner") { begun.open() }
      loop.run(until: token, in: "inner")
      ended.raise()
    }
    loop.add(timer, to: .default)
    begun.pass()
    // The nested run comes to boundaries all the time, and yet the timer's callout is on.
    #expect(throws: InvalidationError.limitPassed) { try timer.invalidateAndWait(for: .milliseconds(1)) }
    token.signal()
    try timer.invalidateAndWait()
    #expect(ended.isRaised)
    loop.stop()
    thread.join()
  }

  @Test func `M26: with no callout in progress it returns after the boundary, and the handler is freed`()
    throws
  {
    let host = Host()
    let thread = host.start()
    let loop = host.loop.value!
    let flag = ReleaseFlag()
    let source = { (token: ReleaseToken) in RunLoop.Source { _ in token.touch() } }(ReleaseToken(flag))
    loop.add(source, to: .default)
    try source.invalidateAndWait()
    #expect(flag.isRaised)
    loop.stop()
    thread.join()
  }

  @Test func `M26: from inside the callout it throws, and the item is invalid`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let errors = Record<InvalidationError>()
    let port = RunLoop.Port<Int> { port, _ in
      do throws(InvalidationError) { try port.invalidateAndWait() } catch { errors.add(error) }
    }
    loop.add(port, to: .default)
    port.send(1)
    port.send(2)
    loop.turn()
    #expect(errors.all == [.calledFromOwnCallout])
    #expect(!port.isValid)
  }

  @Test func `M26: on the loop's thread, from another callout, it is the same as invalidate`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    loop.perform(in: .default) {
      do throws(InvalidationError) { try source.invalidateAndWait() } catch { Issue.record("\(error)") }
    }
    loop.turn()
    #expect(!source.isValid)
    #expect(!loop.contains(source, in: .default))
  }

  @Test func `M26: it does not wait for a loop that does not run, has ended, or never was`() throws {
    let virtual = VirtualRunLoop()
    let sources = (0..<3).map { _ in RunLoop.Source { _ in } }
    for source in sources.prefix(2) { virtual.loop.add(source, to: .default) }
    try virtual.loop.actingFromElsewhere { try sources[0].invalidateAndWait() }
    virtual.end()
    try sources[1].invalidateAndWait()
    try sources[2].invalidateAndWait()
    #expect(sources.allSatisfy { !$0.isValid })
  }

  @Test(arguments: [false, true])
  func `M26: who waits for a callout in whose midst the loop learns of that is answered at its end`(
    isCancel: Bool
  ) {
    let host = LoopHost()
    let loop = host.loop
    let begun = Gate()
    let ended = ReleaseFlag()
    let work: @Sendable (RunLoop.Source) -> Void = { source in
      begun.open()
      // Boundaries of the loop's, at one of which it learns that somebody waits.
      while source.extras.departures.isEmpty { loop.turn(in: "inner") }
      ended.raise()
    }
    let source = RunLoop.Source(onCancel: { source, _ in if isCancel { work(source) } }) { source in
      if !isCancel { work(source) }
    }
    loop.add(source, to: .default)
    if isCancel {
      loop.remove(source, from: .default)
    } else {
      source.signal()
      loop.wakeUp()
    }
    begun.pass()
    #expect(throws: Never.self) { try source.invalidateAndWait(for: .seconds(5)) }
    #expect(ended.isRaised)
    host.end()
  }

  /// Returns once another thread is about to wait for the loop.
  private static func awaitWaiter(of loop: RunLoop) {
    while loop.departuresExpected.load(ordering: .sequentiallyConsistent) == 0 { sched_yield() }
  }

  @Test func `M26: it does not miss a run that is ending`() {
    // The last look into the inbox is over when the observers of the exit are called.
    let host = Box<RunLoop>()
    let (exiting, done) = (Gate(), Gate())
    let source = RunLoop.Source { _ in }
    let thread = TestThread {
      let loop = RunLoop.current
      host.value = loop
      loop.add(source, to: .default)
      let observer = RunLoop.Observer(.exit) { _, _ in
        exiting.open()
        Self.awaitWaiter(of: loop)
      }
      loop.add(observer, to: .default)
      loop.run(in: .default, for: .zero)
      done.pass()
    }
    exiting.pass()
    #expect(throws: Never.self) { try source.invalidateAndWait(for: .seconds(5)) }
    done.open()
    thread.join()
  }

  @Test func `M26: it waits for what a source is told outside runs, and is answered when that ends`() {
    let (begun, done) = (Gate(), Gate())
    let ended = ReleaseFlag()
    let source = RunLoop.Source(onSchedule: { source, _ in
      begun.open()
      source.loop.map(Self.awaitWaiter)
      ended.raise()
    }) { _ in }
    let thread = TestThread {
      RunLoop.current.add(source, to: .default)
      done.pass()
    }
    begun.pass()
    #expect(throws: Never.self) { try source.invalidateAndWait(for: .seconds(5)) }
    #expect(ended.isRaised)
    done.open()
    thread.join()
  }

  @Test func `M26: it waits for what a source is told as it leaves, and is answered when that ends`() {
    let (begun, done) = (Gate(), Gate())
    let ended = ReleaseFlag()
    let source = RunLoop.Source(onCancel: { source, _ in
      begun.open()
      // A nested run takes the question in.
      while !source.hasExtras || source.extras.departures.isEmpty { source.loop?.turn(in: "inner") }
      ended.raise()
    }) { _ in }
    let thread = TestThread {
      RunLoop.current.add(source, to: .default)
      RunLoop.current.remove(source, from: .default)
      done.pass()
    }
    begun.pass()
    #expect(throws: Never.self) { try source.invalidateAndWait(for: .seconds(5)) }
    #expect(ended.isRaised)
    done.open()
    thread.join()
  }

  @Test func `M26: who waits while many sources come is answered without a call for each on the stack`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let told = Atomic<Int>(0)
    loop.departuresExpected.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let observer = RunLoop.Observer(.exit) { _, _ in
      loop.actingFromElsewhere {
        for _ in 0..<20_000 {
          let source = RunLoop.Source(onSchedule: { _, _ in
            told.wrappingAdd(1, ordering: .relaxed)
          }) { _ in }
          loop.add(source, to: "other")
        }
      }
    }
    loop.add(observer, to: .default)
    loop.turn()
    #expect(told.load(ordering: .relaxed) == 20_000)
    loop.departuresExpected.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }
}
