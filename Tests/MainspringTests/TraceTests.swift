import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

@Suite struct TraceTests {
  private let folder = TemporaryFolder()
  private var path: String { folder["trace.json"] }

  @Test func `M59: runs, passes, callouts and sleep lie within each other, with their times and places`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let start = virtual.now.nanoseconds
    let trace = try RunLoop.Trace(at: path)
    loop.trace(to: trace)
    let line = UInt(#line + 1)
    loop.add(RunLoop.Timer(after: .milliseconds(5)) { _ in virtual.spend(.milliseconds(2)) }, to: .default)
    loop.run()
    try trace.close()
    let read = try ReadTrace(path)
    #expect(read.outline == ["run in default", " pass", "  sleep", "  timer"])
    #expect(read.slices.map { $0.start - start } == [0, 0, 0, 5_000_000])
    #expect(read.slices.map { ($0.end ?? 0) - start } == [7_000_000, 7_000_000, 5_000_000, 7_000_000])
    #expect(read.slices.last?.name == "timer MainspringTests/TraceTests.swift:\(line)")
    #expect(read.slices.last?.arguments["made at"] == "MainspringTests/TraceTests.swift:\(line)")
    #expect(read.slices.first?.arguments == ["nesting": "1", "mode": "default"])
    #expect(read.lostAtEnd == 0)
  }

  @Test func `M59: every kind of callout is told, and each observer of an activity by itself`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: path)
    loop.trace(to: trace)
    let source = RunLoop.Source(onSchedule: { _, _ in }, onCancel: { _, _ in }) { _ in
      virtual.spend(.seconds(1))
    }
    let port = RunLoop.Port<Int> { _, _ in virtual.spend(.seconds(1)) }
    let descriptor = RunLoop.DescriptorSource(7) { source, _ in
      virtual.spend(.seconds(1))
      source.invalidate()
    }
    loop.add(source, to: .default)
    loop.add(port, to: .default)
    try loop.add(descriptor, to: .default)
    virtual.setReadiness(.read, of: 7)
    for _ in 0..<2 {
      loop.add(RunLoop.Observer([.entry, .exit]) { _, _ in virtual.spend(.seconds(1)) }, to: .default)
    }
    source.signal()
    port.send(1)
    loop.perform(in: .default) { virtual.spend(.seconds(1)) }
    loop.run(in: .default, for: .zero)
    try trace.close()
    let read = try ReadTrace(path)
    #expect(
      read.outline == [
        "source", "run in default", " observer:entry", " observer:entry", " pass", "  block", "  source",
        "  port", "  descriptor", " observer:exit", " observer:exit",
      ])
    let lengths = read.slices.dropFirst().filter { $0.arguments["made at"] != nil }.map { $0.end! - $0.start }
    #expect(lengths == Array(repeating: 1_000_000_000, count: 8))
  }

  @Test func `M59: a nested run lies in the callout that runs it, which goes on after it`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let start = virtual.now.nanoseconds
    let trace = try RunLoop.Trace(at: path)
    loop.trace(to: trace)
    loop.perform(in: .default) {
      virtual.spend(.milliseconds(1))
      loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in virtual.spend(.milliseconds(1)) }, to: .tracking)
      loop.run(in: .tracking)
      // An empty mode: a run without a pass.
      loop.run(in: "empty")
      virtual.spend(.milliseconds(1))
    }
    loop.add(RunLoop.Timer(after: .milliseconds(10)) { _ in }, to: .default)
    loop.run()
    try trace.close()
    let read = try ReadTrace(path)
    #expect(
      read.outline == [
        "run in default", " pass", "  block", "   run in tracking", "    pass", "     sleep", "     timer",
        " pass", "  sleep", "  timer",
      ])
    let block = try #require(read.slices.first { $0.name.hasPrefix("block") })
    #expect(block.start - start == 0)
    #expect(block.end! - start == 4_000_000)
    #expect(read.slices[3].arguments == ["nesting": "2", "mode": "tracking"])
  }

  @Test func `M59: a trace may begin and end within a callout of a nested run`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: path)
    loop.perform(in: .default) {
      loop.perform(in: .tracking) {
        virtual.spend(.milliseconds(1))
        loop.trace(to: trace)
        virtual.spend(.milliseconds(1))
      }
      loop.run(in: .tracking)
      loop.perform(in: .tracking) {
        loop.stopTracing()
        virtual.spend(.milliseconds(1))
      }
      loop.run(in: .tracking)
    }
    loop.run()
    try trace.close()
    let read = try ReadTrace(path)
    #expect(
      read.outline == [
        "run", " run in tracking", "  pass", "   block", " block", "  run in tracking", "   pass",
        "    block",
      ])
    #expect(read.lostAtEnd == 0)
  }

  @Test func `M59: a source that comes in a callout is told within it`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source(onSchedule: { _, _ in virtual.spend(.seconds(1)) }) { _ in }
    let trace = try RunLoop.Trace(at: path)
    loop.trace(to: trace)
    loop.perform(in: .default) {
      loop.add(source, to: .tracking)
      virtual.spend(.seconds(1))
    }
    loop.run()
    try trace.close()
    let read = try ReadTrace(path)
    #expect(read.outline == ["run in default", " pass", "  block", "   source"])
    #expect(read.slices[2].end! - read.slices[2].start == 2_000_000_000)
  }

  @Test func `M59: what finds the memory full is lost, counted and told, and what follows is whole`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: path, stepsKept: 16)
    loop.trace(to: trace)
    let timer = RunLoop.Timer(every: .milliseconds(1)) { _ in }
    loop.add(timer, to: .default)
    trace.withoutTaking { _ = loop.run(in: .default, for: .milliseconds(50)) }
    let lost = trace.lostCount
    #expect(lost > 100)
    // Taken before it comes to that again.
    trace.takeNow()
    loop.run(in: .default, for: .milliseconds(1))
    try trace.close()
    let read = try ReadTrace(path)
    #expect(read.losses == [lost])
    #expect(read.lostAtEnd == lost)
    #expect(read.outline.suffix(3) == [" pass", "  sleep", "  timer"])
  }

  @Test func `M59: what is lost at the end is told at the end`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: path, stepsKept: 16)
    loop.trace(to: trace)
    loop.add(RunLoop.Timer(every: .milliseconds(1)) { _ in }, to: .default)
    trace.withoutTaking { _ = loop.run(in: .default, for: .milliseconds(50)) }
    try trace.close()
    let read = try ReadTrace(path)
    #expect(read.losses == [trace.lostCount])
    #expect(read.lostAtEnd == trace.lostCount)
  }

  @Test func `M59: a file that has reached its limit keeps whole events and an end`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: path, bytesMax: 8192)
    loop.trace(to: trace)
    loop.add(RunLoop.Timer(every: .milliseconds(1)) { _ in }, to: .default)
    loop.run(in: .default, for: .milliseconds(10))
    trace.takeNow()
    trace.withoutTaking { _ = loop.run(in: .default, for: .milliseconds(1000)) }
    let error = #expect(throws: RunLoop.TraceError.self) { try trace.close() }
    #expect(error?.errno == KernelError.tooLarge.number)
    let text = try #require(TemporaryFolder.text(of: path))
    #expect(text.utf8.count <= 8192)
    #expect(text.hasSuffix("\n]\n"))
    #expect(trace.lostCount > 2000)
  }

  @Test func `M59: a full disk loses steps, and is told when the trace is closed`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: "/dev/full")
    loop.trace(to: trace)
    loop.perform(in: .default) {}
    loop.run()
    let error = #expect(throws: RunLoop.TraceError.self) { try trace.close() }
    #expect(error?.errno == KernelError.noSpace.number)
    #expect(trace.lostCount > 0)
    #expect(throws: RunLoop.TraceError.self) { try RunLoop.Trace(at: folder["none/trace.json"]) }
  }

  @Test func `M59: several loops lie on a track each, also of one thread, and from other threads`() throws {
    let trace = try RunLoop.Trace(at: path)
    let outer = VirtualRunLoop()
    let inner = VirtualRunLoop()
    let worker = try RunLoopThread(named: "traced")
    for loop in [outer.loop, inner.loop, worker.loop] { #expect(loop.trace(to: trace)) }
    for virtual in [outer, inner] {
      virtual.loop.perform(in: .default) { virtual.spend(.seconds(1)) }
      virtual.loop.run()
    }
    try worker.performAndWait(in: .default) {}
    worker.stop()
    #expect(!worker.loop.trace(to: trace))
    try trace.close()
    let read = try ReadTrace(path)
    #expect(read.tracks.count == 3)
    #expect(read.names.count == 3)
    for virtual in read.tracks.values.map(ReadTrace.outline) {
      #expect(virtual.contains { $0.hasSuffix(" block") })
    }
  }

  @Test func `M59: a loop that sleeps is traced at once, and one may close while it does`() throws {
    let worker = try RunLoopThread(named: "traced")
    let trace = try RunLoop.Trace(at: path)
    #expect(worker.loop.trace(to: trace))
    // Behind the request.
    try worker.performAndWait(in: .default) {}
    try trace.close()
    #expect(!worker.loop.trace(to: trace))
    try worker.performAndWait(in: .default) {}
    worker.stop()
    let read = try ReadTrace(path)
    #expect(read.outline.contains { $0.hasSuffix(" block") })
  }

  @Test func `M59: another trace takes the place of the one before, which ends there`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let (first, second) = (try RunLoop.Trace(at: path), try RunLoop.Trace(at: folder["second.json"]))
    loop.trace(to: first)
    loop.perform(in: .default) { loop.trace(to: second) }
    loop.run()
    loop.perform(in: .default) {}
    loop.run()
    try first.close()
    try second.close()
    #expect(try ReadTrace(path).outline == ["run in default", " pass", "  block"])
    #expect(
      try ReadTrace(folder["second.json"]).outline == [
        "run in default", " pass", "  block", "run in default", " pass", "  block",
      ])
  }

  @Test func `M59: a loop that is traced anew goes on on its track`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let trace = try RunLoop.Trace(at: path)
    for isTraced in [true, false, true] {
      if isTraced { loop.trace(to: trace) } else { loop.stopTracing() }
      loop.perform(in: .default) { virtual.spend(.seconds(1)) }
      loop.run()
    }
    try trace.close()
    #expect(
      try ReadTrace(path).outline == [
        "run in default", " pass", "  block", "run in default", " pass", "  block",
      ])
  }

  @Test func `M59: the end of the loop ends its track`() throws {
    let trace = try RunLoop.Trace(at: path)
    let virtual = VirtualRunLoop()
    virtual.loop.trace(to: trace)
    virtual.loop.add(RunLoop.Source(onCancel: { _, _ in }) { _ in }, to: .default)
    virtual.end()
    #expect(!virtual.loop.trace(to: trace))
    try trace.close()
    #expect(try ReadTrace(path).outline == ["source", "source"])
  }

  @Test func `M59: names of the user's are written so that every reader takes them`() throws {
    let mode = RunLoop.Mode("a \"mode\"\\ with\n\u{0}\u{7F}\u{2028} and ünïcode")
    let virtual = VirtualRunLoop()
    let trace = try RunLoop.Trace(at: path)
    virtual.loop.trace(to: trace)
    virtual.loop.perform(in: mode) {}
    virtual.loop.run(in: mode)
    try trace.close()
    #expect(try ReadTrace(path).slices.first?.arguments["mode"] == mode.name)
  }
}
