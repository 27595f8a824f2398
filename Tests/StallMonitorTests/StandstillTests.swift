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
    Standstill.length(lateness: lateness * Self.ms, watcherQueued: queued * Self.ms, use: use) / Self.ms
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

  @Test func `nor is one of which nothing is known`() {
    #expect(length(40, nil) == 0)
    #expect(length(400, nil) == 400)
  }
}
