import CForeignLoops
public import Mainspring

/// A connection to Redis by hiredis, which says by callbacks what it waits for.
///
/// Used on the loop's thread alone.
@safe public final class RedisConnection: @unchecked Sendable {
  // Sendable: used on one thread. SAFETY: the context frees itself as it disconnects, and is not used afterwards.
  private var context: UnsafeMutablePointer<redisAsyncContext>?
  private var interest: RunLoop.Readiness = []

  /// Connects to a server's socket in the file system.
  public init?(to path: String) {
    guard let context = unsafe redisAsyncConnectUnix(path) else { return nil }
    unsafe self.context = unsafe context
    guard unsafe context.pointee.err == 0 else { return nil }
    unsafe context.pointee.ev.data = Unmanaged.passUnretained(self).toOpaque()
    unsafe context.pointee.ev.addRead = { unsafe RedisConnection.of($0).interest.insert(.read) }
    unsafe context.pointee.ev.delRead = { unsafe RedisConnection.of($0).interest.remove(.read) }
    unsafe context.pointee.ev.addWrite = { unsafe RedisConnection.of($0).interest.insert(.write) }
    unsafe context.pointee.ev.delWrite = { unsafe RedisConnection.of($0).interest.remove(.write) }
    unsafe context.pointee.ev.cleanup = {
      let connection = unsafe RedisConnection.of($0)
      connection.interest = []
      unsafe connection.context = nil
    }
  }

  deinit { if let context = unsafe context { unsafe redisAsyncFree(context) } }

  private static func of(_ data: UnsafeMutableRawPointer?) -> RedisConnection {
    unsafe Unmanaged<RedisConnection>.fromOpaque(data!).takeUnretainedValue()
  }

  /// The connection as an item.
  public func hosted() -> RunLoop.HostedLoop {
    RunLoop.HostedLoop { wait in
      guard !self.interest.isEmpty, let context = unsafe self.context else { return }
      wait.watch(unsafe context.pointee.c.fd, for: self.interest)
    } dispatch: { _, ready in
      let found = ready.reduce(into: RunLoop.Readiness()) { $0.formUnion($1.readiness) }
      let isOver = !found.isDisjoint(with: [.error, .hangUp])
      if isOver || found.contains(.read), let context = unsafe self.context {
        unsafe redisAsyncHandleRead(context)
      }
      if isOver || found.contains(.write), let context = unsafe self.context {
        unsafe redisAsyncHandleWrite(context)
      }
    }
  }

  /// Sends a command of two words; `answer` is called with the number that comes back, nil for anything else.
  public func send(_ command: String, _ key: String, answer: @escaping (Int?) -> Void) {
    guard let context = unsafe context else { return answer(nil) }
    let call = unsafe Unmanaged.passRetained(Answer(answer))
    let result = unsafe redis_command(
      context,
      { _, reply, data in
        var number: Int?
        if let found = unsafe reply?.assumingMemoryBound(to: redisReply.self),
          unsafe found.pointee.type == REDIS_REPLY_INTEGER
        {
          number = unsafe Int(found.pointee.integer)
        }
        let answer = unsafe Unmanaged<Answer>.fromOpaque(data!).takeRetainedValue()
        answer.body(number)
      }, unsafe call.toOpaque(), command, key)
    if result != 0 { unsafe call.release() }
  }

  private final class Answer {
    let body: (Int?) -> Void
    init(_ body: @escaping (Int?) -> Void) { self.body = body }
  }
}
