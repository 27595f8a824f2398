import CForeignLoops
public import Mainspring

/// A connection to PostgreSQL that never blocks its loop: libpq says what it waits for, and the socket may be another
/// at each step of the connecting.
///
/// Used on the loop's thread alone.
@safe public final class PostgresConnection: @unchecked Sendable {
  // Sendable: used on one thread. SAFETY: the connection is finished by the end of this object.
  private let connection: OpaquePointer
  private var phase = Phase.connecting(.write)
  private var hasUnsent = false
  /// Of the query that is not over.
  private var results: [[[String]]] = []
  private let onEvent: (PostgresConnection, Event) -> Void

  private enum Phase {
    case connecting(RunLoop.Readiness)
    case connected, failed
  }

  public enum Event {
    case connected
    /// The rows of a query that is done, as text.
    case result([[String]])
    case notification(channel: String, payload: String)
    case failed(String)
  }

  /// - Parameter address: as libpq wants it: "host=… dbname=…".
  public init(to address: String, onEvent: @escaping (PostgresConnection, Event) -> Void) {
    unsafe connection = PQconnectStart(address)
    self.onEvent = onEvent
  }

  deinit { unsafe PQfinish(connection) }

  /// The connection as an item.
  public func hosted() -> RunLoop.HostedLoop {
    RunLoop.HostedLoop {
      self.prepare(&$0)
    } dispatch: { _, _ in
      self.dispatch()
    }
  }

  /// Sends a query, once connected; one at a time.
  public func send(_ query: String) {
    unsafe PQsendQuery(connection, query)
    hasUnsent = unsafe PQflush(connection) == 1
  }

  private func prepare(_ wait: inout RunLoop.HostedLoop.Wait) {
    switch phase {
    case .connecting(let readiness): wait.watch(unsafe PQsocket(connection), for: readiness)
    case .connected: wait.watch(unsafe PQsocket(connection), for: hasUnsent ? [.read, .write] : .read)
    case .failed: break
    }
  }

  private func dispatch() {
    switch phase {
    case .connecting: goOnConnecting()
    case .connected: receive()
    case .failed: break
    }
  }

  private func goOnConnecting() {
    switch unsafe PQconnectPoll(connection) {
    case PGRES_POLLING_READING: phase = .connecting(.read)
    case PGRES_POLLING_WRITING: phase = .connecting(.write)
    case PGRES_POLLING_OK:
      phase = .connected
      unsafe PQsetnonblocking(connection, 1)
      onEvent(self, .connected)
    default: fail()
    }
  }

  private func receive() {
    if hasUnsent { hasUnsent = unsafe PQflush(connection) == 1 }
    guard unsafe PQconsumeInput(connection) == 1 else { return fail() }
    takeResults()
    while let notice = unsafe PQnotifies(connection) {
      let event = unsafe Event.notification(
        channel: String(cString: notice.pointee.relname), payload: String(cString: notice.pointee.extra))
      unsafe PQfreemem(notice)
      onEvent(self, event)
    }
  }

  /// A query is over when there is no result any more, and only then the next may be sent.
  private func takeResults() {
    while unsafe PQisBusy(connection) == 0 {
      guard let result = unsafe PQgetResult(connection) else {
        let ended = results
        results = []
        for rows in ended { onEvent(self, .result(rows)) }
        return
      }
      let (rowCount, fieldCount) = unsafe (PQntuples(result), PQnfields(result))
      results.append(
        (0..<rowCount).map { row in
          (0..<fieldCount).map { unsafe String(cString: PQgetvalue(result, row, $0)) }
        })
      unsafe PQclear(result)
    }
  }

  private func fail() {
    phase = .failed
    onEvent(self, .failed(unsafe String(cString: PQerrorMessage(connection))))
  }
}
