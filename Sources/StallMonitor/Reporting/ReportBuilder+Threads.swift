import StallReport
import Symbols

/// What all threads did, who waits on whom, and whether they wait in a circle.
extension ReportBuilder {
  /// Puts the threads of a sample into a report, in the place of those that it has, with their stacks.
  ///
  /// - Parameters:
  ///   - frames: the table that the report's samples were put in with, so that images and frames are there once.
  ///   - stalled: an earlier stack of the stalled thread with its registers, where the sample has none.
  static func addThreads(
    _ sample: ProcessSample, stalled: StackSample?, frames: inout FrameTable, to report: inout Report
  ) {
    let former = report.threads.first(where: \.isStalled)
    report.threads = []
    for thread in sample.threads {
      var value = thread.value(isStalled: thread.number == sample.stalled)
      value.stack = thread.stack.map { frames.stack(of: $0, in: &report.stacks) }
      if value.isStalled {
        value.registers = (thread.stack ?? stalled)?.registers.byName
        // What the report has of the stalled thread spans the whole stall.
        value.cpu = former?.cpu ?? value.cpu
        value.stack = value.stack ?? former?.stack
      }
      report.threads.append(value)
    }
    report.process.threads = sample.threads.count + sample.omittedCount
    report.waits.edges = sample.threads.compactMap(\.edge)
    if sample.omittedCount > 0 { report.confidence.flags.append("threads-omitted") }
  }

  /// Puts in who waits on whom from the stalled thread on. With a deadlock, the report becomes one of that kind.
  static func addWaits(_ chain: WaitChain, deadlock: [WaitChain.Link]?, to report: inout Report) {
    for link in chain.links {
      guard let edge = link.edge else { continue }
      report.waits.edges.removeAll { $0.waiter == edge.waiter }
      report.waits.edges.append(edge)
    }
    if let first = chain.links.first, let stalled = report.threads.firstIndex(where: \.isStalled),
      report.threads[stalled].waitsOn == nil
    {
      report.threads[stalled].waitsOn = first.target.value
    }
    guard let deadlock else {
      // A lock that was taken between the two looks: nobody waits for himself who is not seen to twice.
      report.waits.edges.removeAll { $0.waiter == $0.owner }
      for index in report.threads.indices
      where report.threads[index].waitsOn?.owner == report.threads[index].name.tid {
        report.threads[index].waitsOn?.owner = nil
      }
      return
    }
    report.kind = .deadlock
    report.waits.cycle = deadlock.map { Int($0.thread) }
  }
}

extension ProcessSample.Thread {
  fileprivate func value(isStalled: Bool) -> Report.Thread {
    var value = Report.Thread(
      name: Report.ThreadName(tid: Int(number), name: name), isStalled: isStalled)
    value.state = state
    value.cpu = cpuSinceNote
    value.waitsOn = waitsFor?.value
    return value
  }

  fileprivate var edge: Report.Waits.Edge? {
    waitsFor.flatMap { target in
      target.owner.map { Report.Waits.Edge(waiter: Int(number), owner: Int($0), kind: target.kind.rawValue) }
    }
  }
}

extension WaitChain.Link {
  fileprivate var edge: Report.Waits.Edge? {
    target.owner.map { Report.Waits.Edge(waiter: Int(thread), owner: Int($0), kind: target.kind.rawValue) }
  }
}

extension WaitTarget {
  fileprivate var value: Report.WaitTarget {
    Report.WaitTarget(kind: kind.rawValue, address: address, owner: owner.map { Int($0) })
  }
}

extension RegisterSet {
  private static let names = [
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15",
    "rip",
  ]

  /// Those that are known; after a capture from outside that is two.
  var byName: [String: UInt64] {
    var values: [String: UInt64] = [:]
    for (register, name) in Self.names.enumerated() { values[name] = self[register] }
    return values
  }
}
