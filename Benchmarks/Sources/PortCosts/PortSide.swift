import Mainspring
import MainspringPorts
import Synchronization

/// A port on the loop of this thread.
final class PortSide<Message: Sendable>: Sendable {
  private typealias Port = RunLoop.PeerPort<Message, Message>
  private let port: Port
  private let tally: Tally

  private final class Tally: Sendable {
    let received = Atomic<Int>(0)
    let last = Atomic<Int>(.max)
    let answers = Atomic<Bool>(false)
    let begin = Atomic<UInt64>(0)
  }

  init(_ end: consuming RunLoop.PortEnd, _ coding: RunLoop.PortCoding<Message, Message>) throws {
    let tally = Tally()
    self.tally = tally
    port = Port(end, coding: coding, capacity: 1000) { port, event in
      switch event {
      case .message(let delivery):
        let received = tally.received.wrappingAdd(1, ordering: .relaxed).newValue
        if received == 1 { tally.begin.store(now(), ordering: .relaxed) }
        if received >= tally.last.load(ordering: .relaxed) { RunLoop.current.stop() }
        if tally.answers.load(ordering: .relaxed) { port.send(delivery.message) }
      case .refused(let refusal): fatalError("\(refusal)")
      case .closed: RunLoop.current.stop()
      }
    }
    try RunLoop.current.add(port, to: .default)
  }

  func answer() {
    tally.answers.store(true, ordering: .relaxed)
    RunLoop.current.run()
  }

  func take(_ count: Int) {
    tally.last.store(count, ordering: .relaxed)
    RunLoop.current.run()
    port.invalidate()
    RunLoop.current.run(in: .default, for: .zero)
  }

  /// The first message is the beginning, and not counted.
  func ask(_ message: Message, _ count: Int) -> UInt64 {
    tally.answers.store(true, ordering: .relaxed)
    tally.last.store(count + 1, ordering: .relaxed)
    port.send(message)
    RunLoop.current.run()
    port.invalidate()
    RunLoop.current.run(in: .default, for: .zero)
    return tally.begin.load(ordering: .relaxed)
  }

  /// Until the other side has taken all, and gone.
  func send(_ message: Message, _ count: Int) -> UInt64 {
    let begin = now()
    for _ in 0..<count {
      while case .full = port.send(message) {
        RunLoop.current.run(in: .default, for: .milliseconds(1), returnAfterSourceHandled: false)
      }
    }
    RunLoop.current.run()
    return begin
  }
}
