import Mainspring
import MainspringTesting
import Testing

@Suite struct DescriptionTests {
  @Test func `M49: the description has the modes and the items with file and line of where each was made`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let line = #line + 1
    let source = RunLoop.Source(order: 3) { _ in }
    loop.add(source, to: .default)
    loop.add(RunLoop.Timer(every: .seconds(1)) { _ in }, to: .common)
    loop.add(RunLoop.Timer(rearmable: ()) { _ in }, to: "own")
    loop.add(RunLoop.Observer([.entry, .exit]) { _, _ in }, to: "own")
    let port = RunLoop.Port<Int> { _, _ in }
    port.send(1)
    loop.add(port, to: "own")
    try loop.add(RunLoop.DescriptorSource(7, interest: [.read, .write]) { _, _ in }, to: "own")
    source.signal()
    loop.perform(in: "own") {}
    let text = loop.debugDescription
    let file = "MainspringTests/DescriptionTests.swift"
    for part in [
      "never run", "mode default (common)", "common modes", "mode own, 1 blocks queued",
      "source made at \(file):\(line), order 3, signalled",
      "repeating timer made at \(file):\(line + 2), due at ",
      "timer made at \(file):\(line + 3), not armed",
      "observer made at \(file):\(line + 4), entry exit",
      "port made at \(file):\(line + 5), 1 messages waiting",
      "descriptor source made at \(file):\(line + 8), descriptor 7, interest read write",
    ] {
      #expect(text.contains(part), "\(part) is missing in\n\(text)")
    }
  }

  @Test func `M49: inside a run it has the mode and the nesting`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let texts = Record<String>()
    loop.perform(in: .default) {
      loop.perform(in: "inner") { texts.add(loop.debugDescription) }
      loop.turn(in: "inner")
    }
    loop.turn()
    #expect(texts.all.first?.contains("running in inner, nesting 2") == true)
  }

  @Test func `M49: from another thread it says whose loop it is and touches nothing else`() {
    let virtual = VirtualRunLoop()
    virtual.loop.add(RunLoop.Source { _ in }, to: .default)
    let text = virtual.loop.actingFromElsewhere { virtual.loop.debugDescription }
    #expect(text.hasPrefix("RunLoop of thread "))
    #expect(!text.contains("source"))
  }

  @Test func `M49: an item says where it was made and whether it is invalid`() {
    let timer = RunLoop.Timer(after: .seconds(1)) { _ in }
    #expect(timer.debugDescription.contains("DescriptionTests.swift:\(#line - 1)"))
    timer.invalidate()
    #expect(timer.debugDescription.hasSuffix(", invalid"))
  }
}
