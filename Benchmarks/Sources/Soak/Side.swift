import Glibc
import Mainspring
import Synchronization

/// One of the two loops, with what it works with: it does a share of the operations at each tick, of every kind, on
/// itself and on the other side.
final class Side: @unchecked Sendable {
  // Sendable: what is not immutable is touched on the side's own loop alone.
  let loop: RunLoop
  private let tally: Tally
  private let pool: [RunLoop.Timer]
  private let port: RunLoop.Port<Int>
  private let source: RunLoop.Source
  private let pipe: (read: CInt, write: CInt)
  private var other: Side?
  private var ticker: RunLoop.Timer?
  private var step = 0

  init(of loop: RunLoop, _ tally: Tally) throws {
    self.loop = loop
    self.tally = tally
    pool = (0..<1000).map { _ in RunLoop.Timer(rearmable: ()) { _ in } }
    port = RunLoop.Port { _, _ in tally.note() }
    source = RunLoop.Source { _ in }
    var ends: [CInt] = [-1, -1]
    // SAFETY: the call writes two numbers.
    guard unsafe pipe2(&ends) else { throw SoakError.noPipe(errno) }
    pipe = (ends[0], ends[1])
  }

  /// On the side's loop: puts everything in place and works `operations` times a tick from then on.
  func begin(beside other: Side, operations: Int, every tick: Duration) throws {
    self.other = other
    for timer in pool { loop.add(timer, to: .common) }
    loop.add(port, to: .common)
    loop.add(source, to: .common)
    let (read, tally) = (pipe.read, tally)
    try loop.add(
      RunLoop.DescriptorSource(read) { _, _ in
        var bytes = [UInt8](repeating: 0, count: 512)
        // SAFETY: reads at most the array's length into the array.
        let count = unsafe Glibc.read(read, &bytes, bytes.count)
        for _ in 0..<max(0, count) { tally.note() }
      }, to: .common)
    let ticker = RunLoop.Timer(every: tick) { [unowned self] _ in
      for _ in 0..<operations { act() }
    }
    self.ticker = ticker
    loop.add(ticker, to: .default)
  }

  /// On the side's loop: no operation begins from here on.
  func end() { ticker?.invalidate() }

  /// The next operation: a fixed round of them, so that the mix does not depend on luck.
  private func act() {
    step += 1
    let (own, other) = (self, self.other!)
    switch step % 40 {
    case 0...9: other.perform(in: .default)
    case 10...12: own.perform(in: .common)
    case 13...19: own.moveTimer()
    case 20...23: other.send()
    case 24, 25: other.signal()
    case 26...28: own.fireTimer(on: .monotonic)
    case 29: own.fireTimer(on: step % 80 == 29 ? .boot : .wall)
    case 30, 31: own.cancelTimer()
    case 32, 33: other.writeByte()
    case 34: own.exchangeObserver()
    case 35: own.exchangeDescriptor()
    case 36: own.update()
    case 37: own.runNested()
    case 38: other.performInSeveralModes()
    default: own.performDelayed(on: other)
    }
  }

  private func perform(in mode: RunLoop.Mode) {
    tally.ask()
    loop.perform(in: mode) { [tally] in tally.note() }
  }

  private func performInSeveralModes() {
    tally.ask()
    loop.perform(in: [.default, .tracking, Self.modes[step % Self.modes.count]]) { [tally] in tally.note() }
  }

  static let modes = (0..<50).map { RunLoop.Mode("soak \($0)") }

  private func moveTimer() {
    pool[step % pool.count].setFireDate(after: .milliseconds(1 + step % 500))
    tally.complete()
  }

  private func send() {
    tally.ask()
    port.send(step)
  }

  private func signal() {
    source.signal()
    loop.wakeUp()
    tally.complete()
  }

  private func fireTimer(on clock: RunLoop.TimerClock) {
    tally.ask()
    let timer = RunLoop.Timer(
      after: .microseconds(step % 20_000), tolerance: .milliseconds(step % 3), on: clock
    ) { [tally] _ in tally.note() }
    loop.add(timer, to: .common)
  }

  private func cancelTimer() {
    let timer = RunLoop.Timer(every: .milliseconds(100), tolerance: .milliseconds(step % 5)) { _ in }
    loop.add(timer, to: Self.modes[step % Self.modes.count])
    timer.invalidate()
    tally.complete()
  }

  private func writeByte() {
    tally.ask()
    var byte: UInt8 = 1
    // SAFETY: writes the one byte. Where the pipe is full, nobody is to hear of it.
    if unsafe write(pipe.write, &byte, 1) != 1 { tally.note() }
  }

  private func exchangeObserver() {
    let observer = RunLoop.Observer(.all, repeats: false) { _, _ in }
    loop.add(observer, to: .common)
    observer.invalidate()
    tally.complete()
  }

  private func exchangeDescriptor() {
    let source = RunLoop.DescriptorSource(pipe.write, interest: .write) { source, _ in source.invalidate() }
    try? loop.add(source, to: .tracking)
    source.invalidate()
    tally.complete()
  }

  private func update() {
    loop.update { loop in
      loop.remove(self.source, from: .common)
      loop.add(self.source, to: .common)
    }
    tally.complete()
  }

  private func runNested() {
    loop.perform(in: .tracking) {}
    loop.run(in: .tracking, for: .zero)
    tally.complete()
  }

  /// A block that is waited for, from the one side alone: both would be refused now and then.
  private func performDelayed(on other: Side) {
    tally.ask()
    other.loop.perform(in: .default, after: .milliseconds(step % 10)) { [tally] in tally.note() }
  }
}

/// A pipe whose ends do not block.
private func pipe2(_ ends: inout [CInt]) -> Bool {
  // SAFETY: the call writes two numbers.
  guard unsafe pipe(&ends) == 0 else { return false }
  for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  return true
}

/// Why the soak could not begin.
enum SoakError: Error { case noPipe(CInt) }
