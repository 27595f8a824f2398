import Testing

@testable import StallMonitor

@Suite struct StandstillTests {
  private static let ms: UInt64 = 1_000_000

  private func use(_ window: UInt64, cpu: UInt64 = 0, queued: UInt64 = 0, switches: UInt64 = 0) -> ThreadUse {
    var use = ThreadUse(window: window * Self.ms, cpu: cpu * Self.ms, queued: queued * Self.ms)
    use.voluntarySwitches = switches
    return use
  }

  private func length(_ lateness: UInt64, queued: UInt64 = 0, _ use: ThreadUse?) -> UInt64 {
    let punctuality = Punctuality(due: nil, woke: (1000 + lateness) * Self.ms, queued: queued * Self.ms)
    return Standstill.length(
      unexplained: punctuality.unexplained(since: .init(), passBegan: 1000 * Self.ms), use: use) / Self.ms
  }

  @Test func `of a watcher that is known to have been stopped, time in line is not believed`() {
    let punctuality = Punctuality(due: nil, woke: 1300, queued: 290, total: .init(time: 0, stops: 1))
    #expect(punctuality.unexplained(since: .init(), passBegan: 1000) == 300)
    #expect(Standstill.length(unexplained: 30 * Self.ms, isStopped: true, use: nil) == 30 * Self.ms)
  }

  @Test func `time of the thread's in line may have been the standstill`() {
    let queued = use(310, cpu: 10, queued: 299, switches: 2)
    #expect(Standstill.length(unexplained: 300 * Self.ms, use: queued) == 300 * Self.ms)
  }

  @Test func `of a sleep that was to end, what came after counts, and of one for a pass nothing`() {
    let rest = WatcherTimes.Rest(begun: 100, due: 150)
    #expect(rest.meant(until: 170) == 50)
    #expect(rest.meant(until: 120) == 20)
    #expect(WatcherTimes.Rest(begun: 100, due: nil).meant(until: 170) == 70)
    #expect(WatcherTimes.Rest.none(at: 100).meant(until: 170) == 0)
  }

  @Test func `what was not explained while another loop was looked at is not lost`() {
    let before = Punctuality.Unexplained(time: 100, stops: 2)
    let punctuality = Punctuality(due: 1000, woke: 1000, total: .init(time: 400, stops: 3))
    #expect(punctuality.unexplained(since: before, passBegan: 900) == 300)
    #expect(punctuality.isStopped(since: before))
    #expect(!punctuality.isStopped(since: punctuality.total))
  }

  @Test func `a parked watcher is late from when the pass began that was to wake it`() {
    let punctuality = Punctuality(due: nil, woke: 1000, queued: 20)
    #expect(punctuality.lateness(passBegan: 900) == 100)
    #expect(punctuality.unexplained(since: .init(), passBegan: 900) == 80)
    #expect(punctuality.unexplained(since: .init(), passBegan: 0) == 0)
    #expect(punctuality.unexplained(since: .init(), passBegan: 1100) == 0)
  }

  @Test func `a little late is nothing`() {
    #expect(length(9, use(50, cpu: 10)) == 0)
  }

  @Test func `a watcher that waited for a processor says nothing of the loop`() {
    #expect(length(300, queued: 295, use(310, cpu: 10, queued: 20)) == 0)
  }

  @Test func `a watcher that did not was stopped, and the loop with it`() {
    #expect(length(300, queued: 2, use(310, cpu: 12)) == 298)
  }

  @Test func `what the loop's thread ran meanwhile, it was not stopped`() {
    #expect(length(300, use(310, cpu: 290, switches: 0)) == 20)
    #expect(length(30, use(40, cpu: 38)) == 2)
  }

  @Test func `a thread that slept through it all is believed only for long`() {
    #expect(length(40, use(50)) == 0)
    #expect(length(400, use(410)) == 400)
  }

  @Test func `one that wanted to run was stopped before the watcher was due, too`() {
    var wanting = use(310, cpu: 5, switches: 1)
    wanting.wantedToRun = true
    #expect(
      Standstill.length(
        unexplained: 298 * Self.ms, rest: 10 * Self.ms, use: wanting) == 305 * Self.ms)
    wanting.wantedToRun = false
    #expect(
      Standstill.length(
        unexplained: 298 * Self.ms, rest: 10 * Self.ms, use: wanting) == 298 * Self.ms)
  }

  @Test func `of a pass that is seen for the first time the thread's time is known from its beginning`() {
    let idle = use(900, cpu: 15, queued: 4, switches: 1)
    let pass = idle.sinceWait(of: 60 * Self.ms, isRunnable: true)
    #expect(pass.window == 60 * Self.ms)
    #expect(pass.cpu == 15 * Self.ms)
    #expect(pass.queued == 45 * Self.ms)
    #expect(idle.sinceWait(of: 60 * Self.ms, isRunnable: false).queued == 4 * Self.ms)
    let slept = use(900, cpu: 15, queued: 4, switches: 2)
    #expect(slept.sinceWait(of: 60 * Self.ms, isRunnable: true).queued == 4 * Self.ms)
  }

  @Test func `a standstill is neither of the thread's window nor time in line`() {
    let left = use(310, cpu: 8, queued: 301).without(300 * Self.ms)
    #expect(left.window == 10 * Self.ms)
    #expect(left.queued == 2 * Self.ms)
    #expect(use(50, cpu: 48).without(300 * Self.ms).window == 48 * Self.ms)
  }

  @Test func `declared time is taken off where the thread did not run, and then where it did`() {
    let waited = use(300, cpu: 97).withoutPause(200 * Self.ms)
    #expect(waited.window == 100 * Self.ms)
    #expect(waited.cpu == 97 * Self.ms)
    let ran = use(300, cpu: 290).withoutPause(200 * Self.ms)
    #expect(ran.window == 100 * Self.ms)
    #expect(ran.cpu == 100 * Self.ms)
  }

  private func moment(_ time: UInt64, _ state: Character, cpu: UInt64, queued: UInt64, switches: UInt64)
    -> ThreadMoment
  {
    let status = ThreadStatus(
      parsing: Array("State:\t\(state)\nSigBlk:\t0\nvoluntary_ctxt_switches:\t\(switches)\n".utf8))!
    return ThreadMoment(
      time: time * Self.ms,
      times: ThreadTimes(parsing: Array("\(cpu * Self.ms) \(queued * Self.ms) 1".utf8), status: status)!,
      state: state)
  }

  @Test func `what a thread did not run though it wanted to, it was in line for`() {
    let before = moment(0, "R", cpu: 100, queued: 50, switches: 3)
    #expect(
      ThreadUse(from: before, to: moment(40, "R", cpu: 110, queued: 50, switches: 3)).queued == 30 * Self.ms)
    #expect(
      ThreadUse(from: before, to: moment(40, "R", cpu: 110, queued: 55, switches: 4)).queued == 5 * Self.ms)
  }

  @Test func `counters that went back, as of another thread, are nothing and end nobody`() {
    let before = moment(0, "S", cpu: 100, queued: 50, switches: 10)
    var sum = ThreadUse(from: before, to: moment(40, "S", cpu: 3, queued: 1, switches: 3))
    sum += ThreadUse(from: before, to: moment(40, "S", cpu: 3, queued: 1, switches: 3))
    #expect(sum.cpu == 0)
    #expect(sum.queued == 0)
    #expect(sum.voluntarySwitches == 0)
  }

  @Test func `a thread that slept throughout was not in line, whatever the kernel counts`() {
    let before = moment(0, "S", cpu: 100, queued: 50, switches: 3)
    let use = ThreadUse(from: before, to: moment(40, "S", cpu: 100, queued: 90, switches: 3))
    #expect(use.queued == 0)
    #expect(use.offCPU == 40 * Self.ms)
    #expect(!use.hasMoved)
  }

  @Test func `nor is one of which nothing is known`() {
    #expect(length(40, nil) == 0)
    #expect(length(400, nil) == 400)
  }
}
