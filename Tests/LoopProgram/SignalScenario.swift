import CTestCalls
import Glibc
import LinuxKernel
import Mainspring

/// Signals to a whole process, whose main thread blocks them.
enum SignalScenario {
  /// Every source of every loop hears of each signal to the process.
  static func allSources() throws {
    let signals = [SIGTERM, realTime]
    RunLoop.SignalSource.block(signals)
    tell("threads in the way: \(RunLoop.SignalSource.threadsLettingThrough(signals).count)")
    let heard = Locked<[RunLoop.SignalSource.Delivery]>([])
    // Each listens from its making on.
    let sources = try (0..<3).map { _ in try source(of: signals, heard) }
    for source in sources.dropFirst() {
      try NativeThread.start(named: "listener") {
        RunLoop.current.add(source as RunLoop.Item, to: .default)
        RunLoop.current.run()
      }
    }
    try RunLoop.current.add(sources[0], to: .default)
    let sent = (1...3).map { unsafe sigqueue(getpid(), realTime, sigval(sival_int: $0)) }
    kill(getpid(), SIGTERM)
    RunLoop.current.run()
    let all = heard.withLock { $0 }
    tell("sent: \(sent)")
    tell("values: \(all.compactMap(\.value).sorted())")
    let terms = all.filter { $0.signal == SIGTERM }
    tell(
      "SIGTERM: \(terms.count) told, \(Set(terms).count) different, by kill: \(terms[0].code == CInt(SI_USER))"
    )
    tell("sent by this process: \(all.allSatisfy { $0.sender?.process == getpid() })")
  }

  private static let realTime: CInt = 40

  /// Stops the main loop once three sources have heard of four signals each.
  private static func source(
    of signals: [CInt], _ heard: Locked<[RunLoop.SignalSource.Delivery]>
  ) throws -> RunLoop.SignalSource {
    try RunLoop.SignalSource(signals) { _, delivery in
      let count = heard.withLock { heard in
        heard.append(delivery)
        return heard.count
      }
      if count == 12 { RunLoop.main.stop() }
    }
  }

  /// What was blocked early waits for the source.
  static func earlySignal() throws {
    RunLoop.SignalSource.block([SIGHUP])
    kill(getpid(), SIGHUP)
    let source = try RunLoop.SignalSource([SIGHUP]) { source, delivery in
      tell("told \(delivery.signal == SIGHUP)")
      source.invalidate()
    }
    try RunLoop.main.add(source, to: .default)
    tell("\(RunLoop.main.run().reason)")
  }

  /// The source gone, the signal has its usual way again.
  static func secondSignal() throws {
    let source = try RunLoop.SignalSource([SIGTERM]) { source, _ in
      tell("told")
      kill(getpid(), SIGTERM)
      source.invalidate()
    }
    try RunLoop.main.add(source, to: .default)
    kill(getpid(), SIGTERM)
    RunLoop.main.run()
    tell("survived")
  }

  /// A child has sources of its own, and begins with what the thread let through before there were any.
  static func inChild() throws {
    let loop = RunLoop.current
    let source = try RunLoop.SignalSource([SIGTERM, SIGHUP]) { source, delivery in
      tell("parent's \(delivery.signal)")
      loop.stop()
    }
    SignalMask.block(SignalSet([SIGHUP]))
    try loop.add(source, to: .default)
    loop.run(in: .default, for: .zero)
    let child = forkInTime()
    if child == 0 {
      tell("child blocks \(SignalMask.current.numbers), source valid: \(source.isValid)")
      do {
        let own = try RunLoop.SignalSource([SIGTERM]) { source, delivery in
          tell("child's \(delivery.signal)")
          source.invalidate()
        }
        try RunLoop.current.add(own, to: .default)
      } catch { tell("\(error)") }
      kill(getpid(), SIGTERM)
      RunLoop.current.run()
      _exit(0)
    }
    tell("child ended with \(test_wait(child))")
    kill(getpid(), SIGTERM)
    loop.run()
  }
}
