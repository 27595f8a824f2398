import StallMonitor
import Symbols

/// A few threads, each with the call that it sleeps in; then the memory that their words lie in.
enum WaitInput {
  private static let threadCount = 6
  private static let low: UInt64 = 0x5000
  /// Calls that say most; others are any number.
  private static let calls: [Int64] = [
    202, 202, 202, 202, 454, 449, 0, 1, 7, 271, 23, 232, 61, 247, 35, 230, 128, 426,
  ]

  static func read(_ input: inout InputBytes) {
    let places = (0..<threadCount).map { _ in place(&input) }
    let memory = PieceMemory([(low, input.end())])
    let reader = WaitReader(
      memory: memory, isOwnThread: { (1...Int32(threadCount)).contains($0) },
      descriptorLink: { ["pipe:[1]", "/dev/tty", "", "/memfd:\u{0}", nil][Int($0.magnitude % 5)] })
    var deadlocks = DeadlockWatch(distance: 10)
    for thread in 1...Int32(threadCount) {
      let chain = WaitChain(from: thread) { thread in
        let place = places[Int(thread) - 1]
        return reader.target(of: place).map {
          WaitChain.Link(thread: thread, target: $0, systemCall: place, voluntarySwitches: 1)
        }
      }
      check(chain)
      deadlocks.note(chain, at: 0)
      let deadlock = deadlocks.note(chain, at: 10)
      precondition(deadlock == nil || chain.cycle != nil, "a deadlock without a circle")
    }
  }

  private static func check(_ chain: WaitChain) {
    precondition(chain.links.count <= WaitChain.linkCountMax, "\(chain.links.count) links")
    precondition(Set(chain.threads).count == chain.threads.count, "a thread twice: \(chain.threads)")
    if let cycle = chain.cycle {
      precondition(!cycle.isEmpty && cycle.upperBound == chain.links.count, "a circle of \(cycle)")
      precondition(chain.links[cycle].allSatisfy { $0.target.owner != nil }, "a circle with a gap")
    }
    _ = chain.concerned
  }

  private static func place(_ input: inout InputBytes) -> SystemCall {
    let kind = input.byte()
    let number = kind < 0x80 ? calls[Int(kind) % calls.count] : Int64(Int8(bitPattern: input.byte()))
    // Of the six arguments, those that matter; words of locks lie close together.
    let address = low &+ UInt64(input.byte())
    let arguments: [UInt64] = [
      kind & 0x40 == 0 ? address : input.word(), UInt64(input.byte()), UInt64(input.short()),
      UInt64(input.byte()),
      UInt64(input.byte()), 0,
    ]
    return .inCall(
      SystemCall.Call(number: number, arguments: arguments, stackPointer: address, programCounter: 0))
  }
}
