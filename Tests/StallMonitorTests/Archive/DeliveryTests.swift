import Foundation
import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

/// What a delivery is told by a monitor.
@Suite struct DeliveryTests {
  private final class Notes: ReportDelivery {
    let lines = Mutex<[String]>([])
    private func note(_ line: String) { lines.withLock { $0.append(line) } }

    func start(_ archive: ReportArchive) { note("start: \((try? archive.pending().count) ?? -1)") }
    func reportsStored(isUrgent: Bool) { note(isUrgent ? "urgent" : "stored") }
    func finish(within limit: Duration) -> Bool {
      note(limit > .zero && limit <= .seconds(30) ? "finish" : "finish at once")
      return true
    }
  }

  @Test func `it starts with what was left, hears of each state, and may finish`() throws {
    let folder = try TemporaryFolder()
    let store = ReportStore(
      folder: try ArchiveFolder(path: folder.path), writesText: true, writer: "00000001")
    _ = try store.put(.sample(), isLast: false, over: nil)
    let notes = Notes()
    let reports = try StalledLoop.reports(folder: folder.path) {
      $0.delivery = notes
    } _: { loop, stalled in
      loop.perform(in: .default) { _ = stalled.spinUntilConfirmed() }
    }
    #expect(reports.last?.state == .recovered)
    let lines = notes.lines.withLock { $0 }
    // Without severe thresholds nothing is urgent.
    #expect(lines == ["start: 1"] + reports.map { _ in "stored" } + ["finish"])
  }

  @Test func `a stall that has reached the last severe threshold is urgent`() throws {
    let folder = try TemporaryFolder()
    let notes = Notes()
    let reports = try StalledLoop.reports(folder: folder.path) {
      $0.delivery = notes
      $0.severeThresholds = [.milliseconds(60)]
    } _: { loop, stalled in
      loop.perform(in: .default) { _ = stalled.spinUntilConfirmed(2) }
    }
    #expect(reports.map(\.sampling.reason).allSatisfy { $0 == "first-in-day" })
    #expect(notes.lines.withLock { $0 }.contains("urgent"))
  }
}
