import Glibc
import LinuxKernel
@testable import Mainspring
import Testing

private typealias SignalSource = RunLoop.SignalSource
private typealias Delivery = RunLoop.SignalSource.Delivery

/// Signals to the thread that asks, which no other thread can take. Those to the process: `LoopProgramTests`.
@Suite(.serialized) struct SignalSourceTests {
  private static let realTime: CInt = 40

  @Test func `M31: a signal wakes the loop and is told on its thread, with who sent it`() {
    let seen = Record<Delivery>()
    let (own, told) = (Box<pthread_t>(), Gate())
    let line = Box<Int>()
    let host = LoopHost { loop in
      own.value = pthread_self()
      line.value = #line + 1
      let source = try SignalSource([SIGUSR1, SIGUSR2]) { source, delivery in
        seen.add(delivery)
        #expect(loop.beacon.read().site.line == line.value)
        #expect(loop.beacon.read().state.phase == .descriptor)
        told.open()
      }
      #expect(source.signals == [SIGUSR1, SIGUSR2].sorted())
      try loop.add(source, to: .common)
      #expect(
        source.debugDescription.hasPrefix("signal source made at MainspringTests/SignalSourceTests.swift:"))
      #expect(loop.debugDescription.contains("signals \(SIGUSR1) \(SIGUSR2)"))
    }
    pthread_kill(own.value!, SIGUSR2)
    told.pass()
    host.end()
    let delivery = seen.all.first
    #expect(seen.count == 1)
    #expect(delivery?.signal == SIGUSR2)
    #expect(delivery?.code == CInt(SI_TKILL))
    #expect(delivery?.sender?.process == getpid())
    #expect(delivery?.sender?.user == getuid())
    #expect(delivery?.value == nil && delivery?.merged == 0)
  }

  @Test func `M31: one signal is one callout; the kernel queues some signals and merges others`() {
    onOwnThread { loop in
      let seen = Record<CInt>()
      let source = try SignalSource([SIGUSR1, Self.realTime]) { _, delivery in seen.add(delivery.signal) }
      try loop.add(source, to: .default)
      for signal in [Self.realTime, SIGUSR1, Self.realTime, SIGUSR1, Self.realTime] { raise(signal) }
      #expect(loop.turn(returnAfterSourceHandled: true).reason == .handledSource)
      #expect(seen.all == [SIGUSR1], "lower numbers first")
      for _ in 0..<5 { loop.turn() }
      #expect(seen.all == [SIGUSR1, Self.realTime, Self.realTime, Self.realTime])
      #expect(!loop.turn().handledSource)
    }
  }

  @Test func `M31: every source of a thread hears of every signal, in its order`() {
    onOwnThread { loop in
      let seen = Record<String>()
      let names = ["late", "early", "other"]
      let sources = try names.map { name in
        try SignalSource(
          name == "other" ? [SIGUSR2] : [SIGUSR1, SIGUSR2], order: name == "early" ? -1 : 0
        ) { _, delivery in seen.add("\(name) \(delivery.signal)") }
      }
      for source in sources { try loop.add(source, to: .default) }
      raise(SIGUSR1)
      for _ in 0..<3 { loop.turn() }
      #expect(seen.all == ["early \(SIGUSR1)", "late \(SIGUSR1)"])
      seen.clear()
      raise(SIGUSR2)
      for _ in 0..<4 { loop.turn() }
      #expect(seen.all.sorted() == names.sorted().map { "\($0) \(SIGUSR2)" })
      seen.clear()
      sources[1].invalidate()
      raise(SIGUSR1)
      for _ in 0..<3 { loop.turn() }
      #expect(seen.all == ["late \(SIGUSR1)"])
    }
  }

  @Test func `M31: sources of several loops hear of a signal that one of them took, and are woken`() {
    let seen = Record<String>()
    let heard = Gate()
    let listener = LoopHost { loop in
      try loop.add(
        SignalSource([Self.realTime + 1]) { _, delivery in
          seen.add("listener \(delivery.value ?? 0)")
          if seen.count == 6 { heard.open() }
        }, to: .default)
    }
    onOwnThread { loop in
      let source = try SignalSource([Self.realTime + 1]) { _, delivery in
        seen.add("taker \(delivery.value ?? 0)")
        if seen.count == 6 { heard.open() }
      }
      try loop.add(source, to: .default)
      for _ in 0..<3 { raise(Self.realTime + 1) }
      for _ in 0..<3 { loop.turn() }
      heard.pass()
    }
    listener.end()
    #expect(seen.all.count { $0.hasPrefix("listener") } == 3)
    #expect(seen.all.count { $0.hasPrefix("taker") } == 3)
  }

  @Test func `M31: without an interest signals wait, and a nested run takes them up`() {
    onOwnThread { loop in
      let seen = Record<String>()
      let source = try SignalSource([Self.realTime]) { source, _ in
        seen.add("begin")
        if seen.count == 1 { loop.turn() }
        seen.add("end")
      }
      try loop.add(source, to: .default)
      source.interest = []
      for _ in 0..<2 { raise(Self.realTime) }
      #expect(!loop.turn().handledSource)
      source.interest = .read
      loop.turn()
      #expect(seen.all == ["begin", "begin", "end", "end"])
    }
  }

  @Test func `M31: a signal that somebody else took is no callout, and counts as none`() throws {
    onOwnThread { loop in
      let pipe = Pipe()
      pipe.fill()
      let seen = Record<String>()
      let taker = Taker(try SignalDescriptor(SignalSet([SIGUSR1])))
      let signals = try SignalSource([SIGUSR1]) { _, _ in seen.add("told") }
      try loop.add(
        RunLoop.DescriptorSource(pipe.readEnd, order: -1) { source, _ in
          seen.add("taken \(taker.take()?.number ?? 0)")
          source.invalidate()
        }, to: .default)
      try loop.add(signals, to: .default)
      raise(SIGUSR1)
      loop.turn()
      #expect(seen.all == ["taken \(SIGUSR1)"])
      #expect(loop.run(untilHandled: signals, for: .milliseconds(1)).reason == .timedOut)
    }
  }

  @Test func `M31: the last source of a loop gives back what its thread let through before`() {
    onOwnThread { loop in
      SignalMask.unblock(SignalSet([SIGUSR1, SIGUSR2]))
      SignalMask.block(SignalSet([SIGHUP]))
      let blocked = { SignalMask.current.intersection(SignalSet([SIGUSR1, SIGUSR2, SIGHUP])).numbers }
      let sources = try [[SIGUSR1, SIGHUP], [SIGUSR1, SIGUSR2]].map { try SignalSource($0) { _, _ in } }
      #expect(blocked() == [SIGHUP])
      try loop.add(sources[0], to: .default)
      #expect(blocked() == [SIGHUP, SIGUSR1])
      try loop.add(sources[1], to: .default)
      try loop.add(sources[1], to: "another")
      #expect(blocked() == [SIGHUP, SIGUSR1, SIGUSR2])
      // Between two modes nothing is let through.
      loop.remove(sources[0], from: .default)
      #expect(blocked() == [SIGHUP, SIGUSR1, SIGUSR2])
      sources[0].invalidate()
      #expect(blocked() == [SIGHUP, SIGUSR1, SIGUSR2])
      sources[1].invalidate()
      #expect(blocked() == [SIGHUP])
    }
  }

  @Test(arguments: [true, false])
  func `M31: a source that is dropped gives back what it blocked, too`(onOtherThread: Bool) {
    onOwnThread { loop in
      SignalMask.unblock(SignalSet([SIGUSR2]))
      let source = Box(try SignalSource([SIGUSR2]) { _, _ in })
      try loop.add(source.value!, to: .default)
      loop.remove(source.value!, from: .default)
      #expect(SignalMask.current.contains(SIGUSR2))
      if onOtherThread {
        TestThread { source.value = nil }.join()
        #expect(SignalMask.current.contains(SIGUSR2))
        loop.turn()
      } else {
        source.value = nil
      }
      #expect(!SignalMask.current.contains(SIGUSR2))
    }
  }

  @Test func `M31: a loop that is not run loses none of what others take, up to a limit, and then counts`() {
    var mail = SignalMail()
    for value in 0..<SignalMail.limit { mail.append(SignalRecord(number: 40, value: CInt(value))) }
    for value in 0..<3 { mail.append(SignalRecord(number: 40, value: CInt(value))) }
    mail.append(SignalRecord(number: 41))
    var letters: [SignalMail.Letter] = []
    while let letter = mail.takeFirst() { letters.append(letter) }
    #expect(letters.count == SignalMail.limit + 1)
    #expect(letters.map(\.merged).reduce(0, +) == 3)
    #expect(letters[SignalMail.limit - 1].merged == 3)
    #expect(letters[SignalMail.limit - 1].record.value == CInt(SignalMail.limit - 1))
  }

  @Test func `M31: the threads that let a signal through are named`() {
    let (made, done) = (Gate(), Gate())
    let number = Box<CInt>()
    let thread = TestThread {
      SignalMask.unblock(SignalSet([SIGURG]))
      number.value = ThreadIdentity.kernelNumber
      made.open()
      done.pass()
    }
    made.pass()
    #expect(SignalSource.threadsLettingThrough([SIGURG]).contains(number.value!))
    done.open()
    thread.join()
  }

  @Test(arguments: [SIGKILL, SIGSTOP, SIGSEGV, 32, 0, 65] as [CInt])
  func `M31: a signal that cannot be waited for traps and is named`(signal: CInt) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [signal] in
      _ = try SignalSource([signal]) { _, _ in }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("signal \(signal) cannot be waited for"))
  }

  @Test func `M31: a source of no signal traps`() async {
    await #expect(processExitsWith: .failure) { _ = try SignalSource([]) { _, _ in } }
  }
}

/// A descriptor of its own for the same signals, as another part of a program may have.
private final class Taker: Sendable {
  private let descriptor: SignalDescriptor
  init(_ descriptor: consuming SignalDescriptor) { self.descriptor = descriptor }
  func take() -> SignalRecord? { descriptor.take() }
}
