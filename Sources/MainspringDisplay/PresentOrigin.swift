import LinuxKernel
import Mainspring

/// The frames of an X server's display, as its extension Present tells of them.
///
/// There is one question at a time. What was asked before the last is not listened to.
final class PresentOrigin: TickOrigin, @unchecked Sendable {
  // Sendable: made by one thread, which gives it to a link; used on the loop's thread from then on.
  private let connection: DisplayConnection
  let items: [RunLoop.Item]
  private let listener: Listener
  private var rate: MeasuredRate
  private var serial: UInt32 = 0

  /// What the source calls; it belongs to the origin, which it must not keep.
  private final class Listener: @unchecked Sendable {
    // Sendable: as the origin.
    weak var origin: PresentOrigin?
    weak var link: RunLoop.DisplayLink?
  }

  init(_ connection: DisplayConnection, millihertz: UInt64, file: StaticString, line: UInt) {
    self.connection = connection
    rate = MeasuredRate(millihertz: millihertz)
    let listener = Listener()
    self.listener = listener
    let kept = ClosedLast(connection)
    items = [
      RunLoop.DescriptorSource(connection.descriptor, file: file, line: line) { _, _ in
        kept.touch()
        listener.origin?.hear()
      }
    ]
    listener.origin = self
  }

  /// Keeps the connection, and its descriptor, until the source has left every wait set.
  private final class ClosedLast: @unchecked Sendable {
    // Sendable: it only holds the connection.
    private let connection: DisplayConnection
    init(_ connection: DisplayConnection) { self.connection = connection }
    func touch() {}
  }

  /// The link that is to be told.
  var link: RunLoop.DisplayLink? {
    get { listener.link }
    set { listener.link = newValue }
  }

  var millihertz: UInt64 { rate.millihertz }

  func ask(for request: TickRequest) {
    serial &+= 1
    switch request {
    case .current: connection.ask(serial, target: 0, divisor: 0)
    case .next(let frame, let stride):
      connection.ask(serial, target: frame - frame % stride + stride, divisor: stride)
    }
  }

  private func hear() {
    while let news = connection.next() {
      switch news {
      case .frame(let answered, let time, let number):
        if answered == serial { take(number, at: time) }
      case .refused: return fail(.noWindow)
      case .outputs: rate.beginAnew()
      case .other: continue
      }
    }
    if connection.isLost { fail(.connectionLost) }
  }

  private func fail(_ error: DisplayError) { link?.originFailed(error) }

  /// - Parameter time: µs.
  private func take(_ number: UInt64, at time: UInt64) {
    // Numbers that no display comes to would be too large to be counted with.
    guard let link, number < Self.highestFrame else { return fail(.noFrames) }
    let now = RunLoop.Instant.now.nanoseconds
    let (told, overflow) = time.multipliedReportingOverflow(by: 1000)
    // A server on another machine has a clock of its own.
    let isOurClock = !overflow && told <= now && now - told < Self.longestWay
    let date = isOurClock ? told : now
    rate.note(number, at: date)
    link.frameCame(number, at: date)
  }

  private static let highestFrame: UInt64 = 1 << 60
  private static let longestWay: UInt64 = 60_000_000_000
}
