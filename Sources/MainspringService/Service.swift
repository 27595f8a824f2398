import Glibc
import LinuxKernel
public import Mainspring

/// The life of a service on a loop: it says when it is ready, that it is alive, and comes to an orderly end when it is asked to.
///
/// ```swift
/// import Mainspring
/// import MainspringService
///
/// RunLoop.SignalSource.block(Service.signals)  // first thing in main
/// let service = try Service(on: RunLoop.main.base) { service, signal in
///   print("asked to end by signal \(signal)")
///   service.loop.stop(.all)
/// }
/// // … open sockets, read settings …
/// service.ready()
/// RunLoop.main.run()
/// ```
///
/// **The end.** The first SIGTERM or SIGINT is told to the supervisor and to the handler, on the loop's thread, which ends what
/// there is to end and stops the loop. Has the loop not been stopped when the grace is over, it is stopped then: connections
/// that never close do not keep a service from ending. A second signal takes its usual way and ends the process at once.
///
/// **The watchdog.** Where the supervisor wants to hear of the service's being alive, the loop tells it, twice as often as is
/// wanted, by a timer in its common modes. A loop that is stuck tells nothing, and is found out; one that works in a mode that
/// is not common is found out as well.
///
/// A supervisor that does not read holds nothing up: what it must hear, that the service is ready, reloads or ends, waits until
/// it has room, and the rest is not told.
///
/// Any thread; the handlers are called on the loop's. The service lasts as long as the reference to it, or until the first
/// signal.
public final class Service: Sendable {
  /// The signals that ask a service to end.
  public static let signals: [CInt] = [SIGTERM, SIGINT]

  /// The loop that the service lives on.
  public let loop: RunLoop
  /// Who is told; nil if nobody asked to be.
  public let supervisor: Supervisor?
  private let parts = Locked(Parts())

  private struct Parts {
    var items: [RunLoop.Item] = []
    var isEnding = false
    /// What the supervisor must hear and had no room for, in its order.
    var untold: [[Supervisor.Message]] = []
    /// Somebody is at it: one thread, or a timer of the loop.
    var isTelling = false
  }

  /// How long a supervisor without room is left alone.
  private static let pause = Duration.milliseconds(100)

  /// Begins: the signals are listened for, and the watchdog is fed.
  ///
  /// - Parameters:
  ///   - supervisor: whom to tell; the one that the environment names, unless said otherwise.
  ///   - grace: how long the end may take before the loop is stopped; nil for as long as it takes.
  ///   - onEnd: called once, with the signal's number. It stops the loop, at once or when everything has ended.
  ///   - onReload: called on SIGHUP, between `reloading` and `ready`; with nil, SIGHUP is left to others. Block it, too.
  /// - Throws: `SourceError` or `DescriptorError`, where no descriptor is left or the loop has ended.
  public init(
    on loop: RunLoop, telling supervisor: Supervisor? = Supervisor(), grace: Duration? = .seconds(20),
    onEnd: @escaping @Sendable (Service, CInt) -> Void = { service, _ in service.loop.stop(.all) },
    onReload: (@Sendable (Service) -> Void)? = nil
  ) throws {
    self.loop = loop
    self.supervisor = supervisor
    let source = try RunLoop.SignalSource(Self.signals + (onReload == nil ? [] : [SIGHUP])) {
      [weak self] source, delivery in
      guard let self else { return }
      if delivery.signal == SIGHUP { return reload(onReload) }
      // The next one is to find nobody who keeps it from ending the process.
      source.invalidate()
      RunLoop.SignalSource.unblock(Self.signals)
      begin(toEnd: delivery.signal, within: grace, onEnd)
    }
    try loop.add(source, to: .common)
    parts.withLock { $0.items.append(source) }
    feedWatchdog()
  }

  deinit { for item in parts.withLock({ $0.items }) { item.invalidate() } }

  /// Tells the supervisor that the service has set itself up.
  public func ready(status: String? = nil) {
    insist([.ready] + (status.map { [.status($0)] } ?? []))
  }

  /// Tells it how the service is, in one line.
  public func status(_ line: String) { supervisor?.tell(.status(line)) }

  /// Tells it what it must hear, now or when it has room.
  private func insist(_ messages: [Supervisor.Message]) {
    guard let supervisor else { return }
    let isAlone = parts.withLock { parts in
      parts.untold.append(messages)
      defer { parts.isTelling = true }
      return !parts.isTelling
    }
    if isAlone { tellUntold(supervisor) }
  }

  private func tellUntold(_ supervisor: Supervisor) {
    while let next = nextUntold() {
      if supervisor.attempt(next) == .hasNoRoom {
        let again = RunLoop.Timer(after: Self.pause) { [weak self] _ in self?.tellUntold(supervisor) }
        loop.add(again, to: .common)
        return
      }
      parts.withLock { parts in _ = parts.untold.removeFirst() }
    }
  }

  private func nextUntold() -> [Supervisor.Message]? {
    parts.withLock { parts in
      parts.isTelling = !parts.untold.isEmpty
      return parts.untold.first
    }
  }

  /// Whether a signal has asked the service to end.
  public var isEnding: Bool { parts.withLock { $0.isEnding } }

  private func feedWatchdog() {
    guard let supervisor, let interval = supervisor.watchdogInterval else { return }
    supervisor.tell(.watchdog)
    let timer = RunLoop.Timer(every: interval / 2, tolerance: interval / 10) { _ in supervisor.tell(.watchdog)
    }
    loop.add(timer, to: .common)
    parts.withLock { $0.items.append(timer) }
  }

  private func reload(_ onReload: (@Sendable (Service) -> Void)?) {
    insist([.reloading])
    onReload?(self)
    insist([.ready])
  }

  private func begin(
    toEnd signal: CInt, within grace: Duration?, _ onEnd: @Sendable (Service, CInt) -> Void
  ) {
    parts.withLock { $0.isEnding = true }
    insist([.stopping])
    if let grace {
      let loop = loop
      let limit = RunLoop.Timer(after: grace) { _ in loop.stop(.all) }
      loop.add(limit, to: .common)
      parts.withLock { $0.items.append(limit) }
    }
    onEnd(self, signal)
  }
}
