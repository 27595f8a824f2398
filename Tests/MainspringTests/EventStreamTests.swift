import Glibc
import Mainspring
import MainspringTesting
import Testing

/// The items of a loop for tasks. What runs a virtual loop is done before anything is awaited, on its one thread.
@Suite struct EventStreamTests {
  @Test func `M63: ticks keep the latest, whose number says how many there were`() async {
    func iterate() -> RunLoop.EventStream<RunLoop.Tick> {
      let virtual = VirtualRunLoop()
      let ticks = virtual.loop.ticks(every: .milliseconds(10))
      virtual.loop.run(in: .tracking, for: .milliseconds(25))
      // The fire for the 30th is late, and those for the 40th and 50th are missed.
      virtual.spend(.milliseconds(30))
      virtual.loop.run(in: .default, for: .milliseconds(7))
      virtual.end()
      return ticks
    }
    var numbers: [UInt64] = []
    for await tick in iterate() { numbers.append(tick.number) }
    #expect(numbers == [6])
  }

  @Test func `M63: ticks that are taken as they come are all of the grid`() async {
    let host = LoopHost()
    var numbers: [UInt64] = []
    var dates: [RunLoop.Instant] = []
    for await tick in host.loop.ticks(every: .microseconds(500)) {
      numbers.append(tick.number)
      dates.append(tick.date)
      if numbers.count == 10 { break }
    }
    host.end()
    #expect(numbers == numbers.sorted() && Set(numbers).count == 10)
    for (number, date) in zip(numbers, dates) {
      #expect(
        dates[0].duration(to: date) == .microseconds(500) * Int(number - numbers[0]),
        "the grid does not drift")
    }
  }

  @Test func `M8, M63: a stream that nobody holds keeps no mode alive`() {
    let virtual = VirtualRunLoop()
    do {
      let ticks = virtual.loop.ticks(every: .milliseconds(10))
      #expect(virtual.loop.run(in: .default, for: .milliseconds(25)).reason == .timedOut)
      withExtendedLifetime(ticks) {}
    }
    #expect(virtual.loop.run(in: .default, for: .milliseconds(25)).reason == .finished)
  }

  @Test func `M63: a task that is cancelled ends the stream, and its item leaves the loop`() async {
    let host = LoopHost()
    let waits = Gate()
    let (sender, messages) = host.loop.messages(of: Int.self, capacity: nil)
    let task = Task {
      var taken: [Int] = []
      for await message in messages {
        taken.append(message)
        waits.open()
      }
      return taken
    }
    sender.send(1)
    await waits.passed()
    task.cancel()
    #expect(await task.value == [1])
    // The end was sent to the loop before this is.
    let isGone = Box<Bool>()
    let looked = Gate()
    host.loop.perform(in: .default) {
      isGone.value = host.loop.contents(of: .tracking).isEmpty
      looked.open()
    }
    await looked.passed()
    #expect(isGone.value == true)
    #expect(sender.send(2) == .closed)
    host.end()
  }

  @Test func `M63: the end of the loop ends a stream after what it kept`() async {
    let host = LoopHost()
    let (sender, messages) = host.loop.messages(of: Int.self, capacity: nil)
    for message in 1...3 { #expect(sender.send(message) == .sent) }
    // Sent behind the messages, and so they have passed before the loop ends.
    let passed = Gate()
    let last = RunLoop.Port<Void> { _, _ in passed.open() }
    host.loop.add(last, to: .common)
    last.send(())
    await passed.passed()
    host.end()
    var taken: [Int] = []
    for await message in messages { taken.append(message) }
    #expect(taken == [1, 2, 3])
    #expect(sender.send(4) == .closed)
    let ended = host.loop.ticks(every: .seconds(1))
    for await _ in ended { Issue.record("a loop that has ended ticks") }
  }

  @Test func `M30, M63: messages are bounded from being sent to being taken`() async {
    func send() -> (RunLoop.MessageSender<Int>, RunLoop.EventStream<Int>) {
      let virtual = VirtualRunLoop()
      let (sender, messages) = virtual.loop.messages(of: Int.self, capacity: 2)
      #expect([1, 2, 3].map { sender.send($0) } == [.sent, .sent, .full])
      virtual.loop.run(in: .default, for: .zero)
      #expect(sender.send(3) == .full, "the loop has passed them on, and nobody has taken them")
      withExtendedLifetime(virtual) {}
      return (sender, messages)
    }
    let (sender, messages) = send()
    var iterator = messages.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    sender.close()
    #expect(sender.send(4) == .closed)
    #expect(await iterator.next() == 2)
  }

  @Test
  func `M63: a descriptor is told once, rests until the task asks again, and does not make the loop spin`() {
    let virtual = VirtualRunLoop()
    virtual.setReadiness(.read, of: 10_000)
    let stream = try? virtual.loop.readiness(of: 10_000)
    virtual.loop.run(in: .default, for: .milliseconds(5))
    #expect(virtual.trace.phases.count { $0 == "descriptor" } == 1)
    #expect(virtual.sleepCount == 1)
    withExtendedLifetime(stream) {}
  }

  @Test func `M63: what is still to be read is told again when the task asks`() async throws {
    let (host, pipe) = (LoopHost(), Pipe())
    for _ in 0..<3 { pipe.fill() }
    var bytes: [UInt8] = []
    for await ready in try host.loop.readiness(of: pipe.readEnd) {
      #expect(ready.contains(.read))
      var byte: UInt8 = 0
      #expect(unsafe read(pipe.readEnd, &byte, 1) == 1)
      bytes.append(byte)
      if bytes.count == 3 { break }
    }
    #expect(bytes == [1, 1, 1])
    host.end()
  }

  @Test func `M63: of a descriptor that the loop cannot watch is said at once why`() {
    let host = LoopHost()
    #expect(throws: RunLoop.DescriptorError.self) { _ = try host.loop.readiness(of: -1) }
    host.end()
  }

  @Test func `M31, M63: signals for a task: none is lost where more come than are kept`() async throws {
    let realTime: CInt = 41
    let own = Box<pthread_t>()
    let count = 200
    let host = LoopHost { _ in
      own.value = pthread_self()
      RunLoop.SignalSource.block([realTime])
    }
    let signals = try host.loop.signals([realTime])
    for _ in 0..<count { #expect(pthread_kill(own.value!, realTime) == 0) }
    var taken = 0
    for await delivery in signals {
      #expect(delivery.signal == realTime)
      taken += 1
      if taken == count { break }
    }
    #expect(taken == count)
    host.end()
  }

  @Test func `M31, M63: changes of files for a task`() async throws {
    let (host, folder) = (LoopHost(), TemporaryFolder())
    let changes = try host.loop.fileChanges(at: [folder.path], for: .names)
    folder.write("one")
    folder.write("two")
    var names: [String] = []
    for await lot in changes {
      names += lot.compactMap(\.name)
      if names.count == 2 { break }
    }
    #expect(names == ["one", "two"])
    host.end()
  }

  @Test func `M31, M63: a task waits for a child, and a cancelled one does not`() async throws {
    let host = LoopHost()
    let child = Child("read line; exit 4")
    let waiting = Task { try await host.loop.exit(of: child.process) }
    let given = Task { try await host.loop.exit(of: child.process, reaps: false) }
    given.cancel()
    #expect(try await given.value == nil)
    child.open()
    #expect(try await waiting.value == .exited(code: 4))
    host.end()
  }
}
