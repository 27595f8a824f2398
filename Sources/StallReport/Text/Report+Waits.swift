extension Report {
  /// Whether the cycle of a deadlock is known thread by thread.
  var isCycleKnown: Bool { waits.cycle?.isEmpty == false }

  /// A fact for each thread of a deadlock: where it waits, for what, and which function of which thread holds that.
  var cycleTexts: [(String, String?)] {
    guard let cycle = waits.cycle, !cycle.isEmpty else { return [] }
    return cycle.indices.map { index in
      let (waiter, holder) = (cycle[index], cycle[(index + 1) % cycle.count])
      let place = functionText(ofThread: waiter).map { " in \($0)" } ?? ""
      let text =
        "thread \(threadName(waiter).text) waits\(place)"
        + " for \(targetText(waiter: waiter, holder: holder))"
      return (index == 0 ? "deadlock" : "", text)
    }
  }

  /// What the stalled thread waits for, if that is known.
  var waitText: String? {
    guard let stalled = threads.first(where: \.isStalled), let target = stalled.waitsOn else { return nil }
    return "for \(targetText(waiter: stalled.name.tid, holder: target.owner))"
  }

  /// `futex 0x7fa568000c78, held by thread 4130 "db-writer" in Index.update() at Index.swift:40`.
  func targetText(waiter: Int, holder: Int?) -> String {
    let target = threads.first { $0.name.tid == waiter }?.waitsOn
    let edge = waits.edges.first { $0.waiter == waiter && (holder == nil || $0.owner == holder) }
    let kind = (target?.kind ?? edge?.kind ?? "something").printable
    let address = target?.address.map { " " + Hexadecimal.address($0) } ?? ""
    guard let holder = holder ?? target?.owner ?? edge?.owner else { return kind + address }
    let place = functionText(ofThread: holder).map { " in \($0)" } ?? ""
    return "\(kind)\(address), held by thread \(threadName(holder).text)\(place)"
  }

  func threadName(_ tid: Int) -> ThreadName {
    threads.first { $0.name.tid == tid }?.name
      ?? (loop.thread.tid == tid ? loop.thread : ThreadName(tid: tid, name: nil))
  }

  /// The deepest of the program's own functions on a thread's stack: where it stands while it waits or holds.
  private func functionText(ofThread tid: Int) -> String? {
    guard let index = threads.first(where: { $0.name.tid == tid }).flatMap(stack(of:)) else { return nil }
    let steps = StackPath(stack: stacks.stacks[index], in: stacks).steps
    let own =
      steps.last { stacks.frames[$0.frame].isAppCode } ?? steps.last { stacks.frames[$0.frame].kind == nil }
    guard let own else { return nil }
    let place = stacks.frames[own.frame].location.map { " at \($0.description.printable)" } ?? ""
    return own.key.printable + place
  }

  /// The index of a thread's stack; for the stalled one the latest sample's if need be.
  func stack(of thread: Thread) -> Int? {
    let latest = thread.isStalled ? samples.last { $0.stack != nil }?.stack : nil
    guard let index = thread.stack ?? latest, stacks.stacks.indices.contains(index) else { return nil }
    return index
  }
}
