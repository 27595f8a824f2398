import Mainspring
import MainspringTesting
import Testing

/// Descriptor sources with scripted readiness; `DescriptorKernelTests` has real ones.
@Suite struct DescriptorTests {
  @Test func `M28: what is ready is told as a set, and only what was asked for`() throws {
    let virtual = VirtualRunLoop()
    let seen = Record<RunLoop.Readiness>()
    virtual.setReadiness([.read, .write, .priority], of: 7)
    try virtual.loop.add(
      RunLoop.DescriptorSource(7, interest: [.read, .priority]) { _, ready in seen.add(ready) }, to: .default)
    virtual.loop.turn()
    #expect(seen.all == [[.read, .priority]])
  }

  @Test func `M28: level-triggered: called in every pass while it lasts`() throws {
    let virtual = VirtualRunLoop()
    let seen = Record<RunLoop.Readiness>()
    try virtual.loop.add(RunLoop.DescriptorSource(7) { _, ready in seen.add(ready) }, to: .default)
    virtual.setReadiness(.read, of: 7)
    for _ in 0..<3 { virtual.loop.turn() }
    virtual.setReadiness([], of: 7)
    virtual.loop.turn()
    #expect(seen.all == [.read, .read, .read])
  }

  @Test func `M28: edge-triggered on request: called once when it comes`() throws {
    let virtual = VirtualRunLoop()
    let seen = Record<RunLoop.Readiness>()
    try virtual.loop.add(
      RunLoop.DescriptorSource(7, trigger: .edge) { _, ready in seen.add(ready) }, to: .default)
    virtual.setReadiness(.read, of: 7)
    for _ in 0..<3 { virtual.loop.turn() }
    virtual.setReadiness(.read, of: 7)
    virtual.loop.turn()
    #expect(seen.all == [.read, .read])
  }

  @Test func `M28: the interest can be changed inside the callback`() throws {
    let virtual = VirtualRunLoop()
    let seen = Record<RunLoop.Readiness>()
    virtual.setReadiness([.read, .write], of: 7)
    let source = RunLoop.DescriptorSource(7, interest: .read) { source, ready in
      seen.add(ready)
      source.interest = ready == .read ? .write : []
    }
    try virtual.loop.add(source, to: .default)
    for _ in 0..<4 { virtual.loop.turn() }
    #expect(seen.all == [.read, .write])
    source.interest = .read
    virtual.loop.turn()
    #expect(seen.all == [.read, .write, .read])
  }

  @Test func `M28: the interest can be changed from another thread, and wakes the loop`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let seen = Record<Duration>()
    virtual.setReadiness(.write, of: 7)
    let source = RunLoop.DescriptorSource(7, interest: .read) { _, _ in
      seen.add(begin.duration(to: virtual.now))
      loop.stop()
    }
    try loop.add(source, to: .default)
    virtual.at(.seconds(1)) { source.interest = [.read, .write] }
    loop.run(in: .default, for: .seconds(9))
    #expect(seen.all == [.seconds(1)])
  }

  @Test(arguments: [RunLoop.Readiness.error, .hangUp, [.error, .hangUp]])
  func `M28: error or hang-up is told once, asked for or not, and rests until interest is set`(
    trouble: RunLoop.Readiness
  ) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<RunLoop.Readiness>()
    let source = RunLoop.DescriptorSource(7, interest: .write) { _, ready in seen.add(ready) }
    try loop.add(source, to: .default)
    virtual.setReadiness(trouble, of: 7)
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == [trouble])
    #expect(virtual.sleepCount == 1, "it does not spin on it")
    source.interest = .write
    loop.run(in: .default, for: .seconds(1))
    #expect(seen.all == [trouble, trouble])
  }

  @Test func `M28: with no interest the descriptor leaves the set, trouble included`() throws {
    let virtual = VirtualRunLoop()
    let seen = Record<RunLoop.Readiness>()
    let source = RunLoop.DescriptorSource(7, interest: []) { _, ready in seen.add(ready) }
    try virtual.loop.add(source, to: .default)
    virtual.setReadiness([.read, .write, .error, .hangUp], of: 7)
    for _ in 0..<3 { virtual.loop.turn() }
    #expect(seen.isEmpty)
  }

  @Test func `M28: a source without an interest is not told of the trouble that another one meets`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let idle = RunLoop.DescriptorSource(7, interest: []) { _, ready in seen.add("idle \(ready)") }
    let reader = RunLoop.DescriptorSource(7, interest: .read, order: -1) { _, ready in
      seen.add("reader \(ready)")
    }
    for source in [idle, reader] { try loop.add(source, to: .default) }
    virtual.setReadiness(.error, of: 7)
    loop.turn()
    #expect(seen.all == ["reader error"])
  }

  @Test func `M28: a source whose interest was taken away since the look is not told of trouble either`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let latter = RunLoop.DescriptorSource(8) { _, ready in seen.add("latter \(ready)") }
    let former = RunLoop.DescriptorSource(7, order: -1) { _, ready in
      seen.add("former \(ready)")
      latter.interest = []
    }
    for source in [former, latter] { try loop.add(source, to: .default) }
    for descriptor: Int32 in [7, 8] { virtual.setReadiness(.hangUp, of: descriptor) }
    loop.turn()
    #expect(seen.all == ["former hang-up"])
  }

  @Test func `M28: several sources on one descriptor each get what they asked for`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let reader = RunLoop.DescriptorSource(7, interest: .read) { _, ready in seen.add("reader \(ready)") }
    let writer = RunLoop.DescriptorSource(7, interest: .write) { _, ready in seen.add("writer \(ready)") }
    let both = RunLoop.DescriptorSource(7, interest: [.read, .write], order: 1) { _, ready in
      seen.add("both \(ready)")
    }
    for source in [reader, writer, both] { try loop.add(source, to: .default) }
    virtual.setReadiness([.read, .write], of: 7)
    loop.turn()
    #expect(seen.all == ["reader read", "writer write", "both read write"])
    seen.clear()
    both.invalidate()
    reader.interest = []
    loop.turn()
    #expect(seen.all == ["writer write"])
    seen.clear()
    loop.remove(writer, from: .default)
    reader.interest = .read
    loop.turn()
    #expect(seen.all == ["reader read"])
  }

  @Test func `M28: one source rests while another on the same descriptor goes on`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    for (name, interest) in [("reader", RunLoop.Readiness.read), ("writer", .write)] {
      try loop.add(
        RunLoop.DescriptorSource(7, interest: interest) { _, ready in seen.add("\(name) \(ready)") },
        to: .default)
    }
    virtual.setReadiness([.write, .hangUp], of: 7)
    loop.turn()
    loop.turn()
    #expect(seen.all == ["reader hang-up", "writer write hang-up", "writer write hang-up"])
  }

  @Test func `M28: an edge that was found for a source that left before its turn keeps nobody awake`() throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let latter = RunLoop.DescriptorSource(8, trigger: .edge) { _, _ in }
    let former = RunLoop.DescriptorSource(7, trigger: .edge, order: -1) { _, _ in
      loop.remove(latter, from: .default)
      loop.turn(in: "other")
    }
    for source in [former, latter] { try loop.add(source, to: .default) }
    for descriptor: Int32 in [7, 8] { virtual.setReadiness(.read, of: descriptor) }
    loop.turn()
    virtual.trace.clear()
    loop.run(in: .default, for: .seconds(1))
    #expect(virtual.passCount == 1)
  }

  @Test func `M28: a descriptor that becomes ready ends a sleep`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let seen = Record<Duration>()
    try loop.add(
      RunLoop.DescriptorSource(7) { source, _ in
        seen.add(begin.duration(to: virtual.now))
        source.invalidate()
      }, to: .default)
    virtual.at(.seconds(3)) { virtual.setReadiness(.read, of: 7) }
    #expect(loop.run(in: .default).reason == .finished)
    #expect(seen.all == [.seconds(3)])
  }

  @Test func `M28: one that is added from elsewhere is heard of by a loop that sleeps without any`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let seen = Record<Duration>()
    virtual.setReadiness(.read, of: 7)
    virtual.at(.seconds(2)) {
      try? loop.add(
        RunLoop.DescriptorSource(7) { source, _ in
          seen.add(begin.duration(to: virtual.now))
          source.invalidate()
          loop.stop()
        }, to: .default)
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(seen.all == [.seconds(2)])
  }

  @Test func `M28: a descriptor that is not open and a source that is invalid are errors at add`() {
    let virtual = VirtualRunLoop()
    #expect(throws: RunLoop.DescriptorError.notOpen(-1)) {
      try virtual.loop.add(RunLoop.DescriptorSource(-1) { _, _ in }, to: .default)
    }
    let invalid = RunLoop.DescriptorSource(7) { _, _ in }
    invalid.invalidate()
    #expect(throws: RunLoop.DescriptorError.invalidated) { try virtual.loop.add(invalid, to: .default) }
    virtual.end()
    #expect(throws: RunLoop.DescriptorError.loopEnded) {
      try virtual.loop.add(RunLoop.DescriptorSource(7) { _, _ in }, to: .default)
    }
  }
}
