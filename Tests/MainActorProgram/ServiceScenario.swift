import Glibc
import Mainspring
import MainspringMainExecutor

/// A small service: actors, sleeps, timers and a socket on one loop.
@MainActor
enum ServiceScenario {
  static var beats = 0

  static func run() async throws {
    tell("main actor on the loop: \(MainRunLoop.carriesMainActor)")
    let (near, far) = pair()
    let counter = Counter(on: RunLoop.main.base)
    let lines = AsyncStream.makeStream(of: String.self)
    let source = RunLoop.DescriptorSource(near) { source, _ in
      // A callout of the main loop is in the main actor, and in every actor on the loop.
      MainActor.preconditionIsolated()
      counter.assumeIsolated { $0.add(1) }
      guard let line = receive(source.descriptor) else {
        source.invalidate()
        return lines.continuation.finish()
      }
      lines.continuation.yield(line)
    }
    try RunLoop.main.add(source, to: .common)
    RunLoop.main.addTimer(every: .milliseconds(1)) { timer in
      beats += 1
      if beats == 3 { timer.invalidate() }
    }
    let client = Task.detached {
      for line in ["one", "two", "three"] {
        send(line, to: far)
        try await Task.sleep(for: .milliseconds(2))
      }
      close(far)
    }
    for await line in lines.stream { tell("heard \(line)") }
    try await client.value
    await Task.detached { await MainActor.run { tell("back on the main actor") } }.value
    while beats < 3 { try await Task.sleep(for: .milliseconds(1)) }
    tell("\(beats) beats, \(await counter.count) readinesses")
    close(near)
  }

  private static func pair() -> (CInt, CInt) {
    var ends: [CInt] = [0, 0]
    // SAFETY: writes two numbers into the array.
    let result = unsafe socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends)
    precondition(result == 0)
    return (ends[0], ends[1])
  }

  private nonisolated static func receive(_ socket: CInt) -> String? {
    var bytes = [UInt8](repeating: 0, count: 64)
    // SAFETY: reads at most the array's length into it.
    let count = unsafe read(socket, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  private nonisolated static func send(_ line: String, to socket: CInt) {
    let bytes = Array(line.utf8)
    // SAFETY: writes the array's bytes.
    _ = unsafe write(socket, bytes, bytes.count)
  }
}

/// An actor on a loop.
actor Counter {
  private let executor: RunLoop.ActorExecutor
  // SAFETY: the actor holds the executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
  private(set) var count = 0

  init(on loop: RunLoop) { executor = loop.executor }

  func add(_ number: Int) { count += number }
  func tellWhere(_ line: String) { tell(line) }
}
