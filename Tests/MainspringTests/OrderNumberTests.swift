import Mainspring
import MainspringTesting
import Testing

@Suite struct OrderNumberTests {
  private static let orders = [Int.max, 0, Int.min, 1, Int.min + 1, -1, Int.max - 1]

  @Test func `M42: order numbers of observers reach from the smallest to the largest integer`() {
    let virtual = VirtualRunLoop()
    let called = Record<Int>()
    for order in Self.orders {
      virtual.loop.add(
        RunLoop.Observer(.beforeTimers, order: order) { _, _ in called.add(order) }, to: .default)
    }
    virtual.loop.turn()
    #expect(called.all == Self.orders.sorted())
  }

  @Test func `M42: so do those of sources, ports and descriptor sources`() throws {
    let virtual = VirtualRunLoop()
    let (sources, ready) = (Record<Int>(), Record<Int>())
    for (number, order) in Self.orders.enumerated() {
      let source = RunLoop.Source(order: order) { _ in sources.add(order) }
      virtual.loop.add(source, to: .common)
      source.signal()
      let descriptor = CInt(100 + number)
      try virtual.loop.add(
        RunLoop.DescriptorSource(descriptor, order: order) { _, _ in ready.add(order) }, to: .default)
      virtual.setReadiness(.read, of: descriptor)
      let port = RunLoop.Port<Int>(order: order) { _, _ in ready.add(order) }
      virtual.loop.add(port, to: .default)
      port.send(0)
    }
    virtual.loop.turn()
    #expect(sources.all == Self.orders.sorted())
    #expect(ready.all == Self.orders.sorted().flatMap { [$0, $0] }, "ports and descriptors in one order")
  }

  @Test func `M42: a loop has no item of its own, so that a first observer is the first and a last the last`()
  {
    let virtual = VirtualRunLoop()
    for mode in [RunLoop.Mode.default, .tracking, .common] {
      #expect(virtual.loop.contents(of: mode) == RunLoop.Contents())
    }
  }
}
