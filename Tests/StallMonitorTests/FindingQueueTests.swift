import StallReport
import Testing

@testable import StallMonitor

@Suite struct FindingQueueTests {
  private func finding(_ identifier: Report.Identifier, end: UInt64?) -> Finding {
    Finding(
      loop: LoopIdentity(number: 1, name: "main", kind: .mainspring, thread: 1), subject: .pass, start: 0,
      excluded: 0, threshold: 1,
      open: OpenStall(firstSeen: 0, thread: 0, rhythm: SampleRhythm(tick: 1, denseTime: 0), tick: 1),
      identifier: identifier, end: end, seenAt: 0)
  }

  @Test func `the end of a stall takes the place of its beginning`() {
    let queue = FindingQueue()
    let (one, other) = (Report.Identifier.random(), Report.Identifier.random())
    queue.append(finding(one, end: nil))
    queue.append(finding(other, end: nil))
    queue.append(finding(one, end: 9))
    let batch = queue.take()
    #expect(batch?.findings.map(\.identifier) == [one, other])
    #expect(batch?.findings.map(\.end) == [9, nil])
  }

  @Test func `what finds no room is counted, once`() {
    let queue = FindingQueue()
    for _ in 0..<FindingQueue.countMax + 3 { queue.append(finding(.random(), end: nil)) }
    let batch = queue.take()
    #expect(batch?.findings.count == FindingQueue.countMax)
    #expect(batch?.droppedCount == 3)
    queue.append(finding(.random(), end: nil))
    #expect(queue.take()?.droppedCount == 0)
  }

  @Test func `a closed queue is emptied first`() {
    let queue = FindingQueue()
    queue.append(finding(.random(), end: nil))
    queue.close()
    #expect(queue.take()?.findings.count == 1)
    #expect(queue.take() == nil)
  }
}
