import CForeignLoops
import ForeignLoops
import Glibc
import Mainspring
import Testing

/// Runs a body on the loop of a thread of its own, which runs until the body's `done` was called.
private func onLoop(
  _ body: @escaping @Sendable (RunLoop, _ done: @escaping @Sendable () -> Void) throws -> Void
) throws {
  let thread = try RunLoopThread(named: "bridges")
  defer { thread.stop() }
  try thread.performAndWait {
    let (loop, done) = (RunLoop.current, RunLoop.Token())
    try body(loop) { done.signal() }
    // The limit is for a test that would hang.
    #expect(loop.run(until: done, for: .seconds(60)).reason == .signalled)
  }
}

/// What one thread counts.
private final class Tally: @unchecked Sendable {
  // Sendable: used on the loop's thread alone.
  var count = 0
  var notes: [String] = []
  var keeps: [AnyObject] = []
  var next = {}
}

/// Loops and libraries of others on one loop, each against the real thing.
@Suite(.serialized) struct ForeignLoopsTests {
  @Test func `M62: libuv: its timers and its wakes from other threads`() throws {
    try onLoop { loop, done in
      let (uv, tally) = (LibuvLoop(), Tally())
      let item = uv.hosted()
      loop.add(item, to: .common)
      let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
      let wake = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)
      let data = unsafe Unmanaged.passUnretained(tally).toOpaque()
      unsafe uv_timer_init(uv.pointer, timer)
      unsafe uv_async_init(uv.pointer, wake) { handle in
        unsafe Unmanaged<Tally>.fromOpaque(handle!.pointee.data).takeUnretainedValue().notes.append("async")
      }
      unsafe timer.pointee.data = data
      unsafe wake.pointee.data = data
      unsafe uv_timer_start(
        timer,
        { handle in
          let tally = unsafe Unmanaged<Tally>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
          tally.count += 1
          if tally.count == 10 { unsafe uv_timer_stop(handle) }
        }, 1, 1)
      uv.handlesStarted()
      let address = UInt(bitPattern: wake)
      let thread = try RunLoopThread(named: "wakes")
      thread.perform { unsafe uv_async_send(UnsafeMutablePointer(bitPattern: address)) }
      tally.keeps = [uv, thread, item]
      loop.add(
        RunLoop.Observer(.beforeWaiting) { observer, _ in
          guard tally.count == 10, tally.notes == ["async"] else { return }
          observer.invalidate()
          item.invalidate()
          tally.keeps = []
          done()
        }, to: .common)
    }
  }

  @Test func `M62: sd-event: its timers, its descriptors, and what is added while the loop sleeps`() throws {
    try onLoop { loop, done in
      let (event, tally) = (SystemdEventLoop(), Tally())
      let item = event.hosted()
      loop.add(item, to: .common)
      tally.keeps = [event]
      let finish = { @Sendable in
        item.invalidate()
        done()
      }
      loop.add(
        RunLoop.Observer(.beforeWaiting) { observer, _ in
          guard tally.count == 2 else { return }
          observer.invalidate()
          tally.keeps = []
          finish()
        }, to: .common)
      let addTimer: @Sendable (UInt64) -> Void = { microseconds in
        unsafe sd_event_add_time_relative(
          event.pointer, nil, CLOCK_MONOTONIC, microseconds, 0,
          { _, _, data in
            unsafe Unmanaged<Tally>.fromOpaque(data!).takeUnretainedValue().count += 1
            return 0
          }, Unmanaged.passUnretained(tally).toOpaque())
      }
      addTimer(1000)
      // By then sd-event is armed for nothing, or for the first.
      loop.perform(in: .common, after: .milliseconds(3)) { addTimer(1000) }
    }
  }

  @Test func `M62: libpq: LISTEN and NOTIFY`() throws {
    let server = try Server.postgres()
    let address = "host=\(server.folder) user=tester dbname=postgres"
    try onLoop { loop, done in
      let tally = Tally()
      let sender = PostgresConnection(to: address) { sender, event in
        if case .failed(let message) = event { Issue.record("\(message)") }
        if case .connected = event { tally.next() }
        guard case .result = event else { return }
        tally.count += 1
        if tally.count < 100 { sender.send("NOTIFY news, '\(tally.count)'") }
      }
      let listener = PostgresConnection(to: address) { listener, event in
        switch event {
        case .connected: listener.send("LISTEN news")
        case .result: sender.send("NOTIFY news, '0'")
        case .notification(let channel, let payload):
          #expect(channel == "news")
          tally.notes.append(payload)
          if tally.notes.count == 100 {
            tally.keeps = []
            tally.next = {}
            done()
          }
        case .failed(let message): Issue.record("\(message)")
        }
      }
      // The sender first: it is to be connected when the listener has its answer.
      tally.next = { loop.add(listener.hosted(), to: .common) }
      loop.add(sender.hosted(), to: .common)
      tally.keeps = [sender, listener]
    }
  }

  @Test func `M62: hiredis: ten thousand INCR`() throws {
    let server = try Server.redis()
    let path = server.folder + "/redis"
    try onLoop { loop, done in
      let tally = Tally()
      let redis = try #require(RedisConnection(to: path))
      loop.add(redis.hosted(), to: .common)
      for _ in 0..<10_000 {
        redis.send("INCR", "count") { number in
          tally.count += 1
          #expect(number == tally.count)
          if tally.count == 10_000 { done() }
        }
      }
    }
  }

  @Test func `M62: libcurl: a hundred transfers at once from a server on the same loop`() throws {
    try onLoop { loop, done in
      let (curl, tally) = (CurlTransfers(), Tally())
      let server = try LoopbackServer(on: loop, pageSize: 20_000)
      loop.add(curl.hosted(), to: .common)
      for _ in 0..<100 {
        curl.get("http://127.0.0.1:\(server.port)/") { code, body in
          #expect(code == 0 && body.count == 20_000)
          tally.count += 1
          if tally.count == 100 {
            #expect(server.openMost > 10)
            done()
          }
        }
      }
    }
  }

  /// All of them on one loop, and a timer of its own: who is late is told by the loop's own dates.
  @Test func `M62: all of them on one loop`() throws {
    let (postgres, redis) = (try Server.postgres(), try Server.redis())
    let (address, path) = ("host=\(postgres.folder) user=tester dbname=postgres", redis.folder + "/redis")
    try onLoop { loop, done in
      let (tally, curl) = (Tally(), CurlTransfers())
      let server = try LoopbackServer(on: loop, pageSize: 5000)
      let noteEnd: @Sendable (String) -> Void = { name in
        tally.notes.append(name)
        if tally.notes.count == 3 { done() }
      }
      loop.add(curl.hosted(), to: .common)
      var transfers = 0
      for _ in 0..<100 {
        curl.get("http://127.0.0.1:\(server.port)/") { _, _ in
          transfers += 1
          if transfers == 100 { noteEnd("curl") }
        }
      }
      let queries = PostgresConnection(to: address) { connection, event in
        if case .connected = event { connection.send("SELECT generate_series(1, 1000)") }
        if case .result(let rows) = event, rows.count == 1000 { noteEnd("postgres") }
      }
      loop.add(queries.hosted(), to: .common)
      let counter = try #require(RedisConnection(to: path))
      loop.add(counter.hosted(), to: .common)
      for number in 1...1000 {
        counter.send("INCR", "count") { if $0 == 1000, number == 1000 { noteEnd("redis") } }
      }
      let (uv, event) = (LibuvLoop(), SystemdEventLoop())
      loop.add(uv.hosted(), to: .common)
      loop.add(event.hosted(), to: .common)
    }
  }
}
