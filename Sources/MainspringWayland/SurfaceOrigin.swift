import Mainspring

/// The frames of a Wayland surface, as its compositor tells of them.
///
/// A compositor says nothing of frames that a surface is not seen in. After a while of that a timer stands in for it, until it
/// is heard of again.
final class SurfaceOrigin: TickOrigin, @unchecked Sendable {
  // Sendable: made by one thread, which gives it to a link; used on the loop's thread from then on.
  private let frames: SurfaceFrames
  let items: [RunLoop.Item]
  private let timer: RunLoop.Timer
  private let listener: Listener
  private var count: FrameCount
  /// Whether an answer is wanted, and when it was asked for, ns.
  private var asked: UInt64?
  private var isSilent = false

  /// What the items call; it belongs to the origin, which it must not keep.
  private final class Listener: @unchecked Sendable {
    // Sendable: as the origin.
    weak var origin: SurfaceOrigin?
    weak var link: RunLoop.DisplayLink?
  }

  /// The slowest displays that there are tell of a frame in less, ns.
  private static let longestSilence: UInt64 = 250_000_000
  private static let longestWay: UInt32 = 60_000

  init(_ frames: SurfaceFrames, millihertz: UInt64, file: StaticString, line: UInt) {
    self.frames = frames
    count = FrameCount(millihertz: millihertz)
    let listener = Listener()
    self.listener = listener
    timer = RunLoop.Timer(rearmable: (), file: file, line: line) { _ in listener.origin?.waitedInVain() }
    items = [
      RunLoop.DescriptorSource(frames.descriptor, file: file, line: line) { _, _ in
        guard let origin = listener.origin else { return }
        origin.heard(origin.frames.read())
      },
      // Others read from the connection, too, and what they read tells no descriptor.
      RunLoop.Observer(.beforeWaiting, order: .min, file: file, line: line) { _, _ in
        guard let origin = listener.origin else { return }
        origin.heard(origin.frames.dispatch())
      },
      timer,
    ]
    listener.origin = self
  }

  /// The link that is to be told.
  var link: RunLoop.DisplayLink? {
    get { listener.link }
    set { listener.link = newValue }
  }

  var millihertz: UInt64 { count.millihertz }

  func end() { frames.close() }

  func ask(for request: TickRequest) {
    let now = RunLoop.Instant.now.nanoseconds
    // What is on its way was asked for before.
    asked = asked ?? now
    guard frames.ask() else { return }
    let limit =
      switch request {
      case _ where !isSilent: now + max(Self.longestSilence, 4 * count.period)
      case .current: now
      case .next(let frame, let stride): count.date(of: frame - frame % stride + stride) ?? now
      }
    timer.setFireDate(RunLoop.Instant(nanoseconds: limit))
  }

  private func heard(_ isConnected: Bool) {
    guard isConnected else {
      link?.originFailed(WaylandError.connectionLost)
      return
    }
    guard let time = frames.takeFrame() else { return }
    let now = RunLoop.Instant.now.nanoseconds
    // Without the upper bits, and with a clock of its own perhaps.
    let age = UInt32(truncatingIfNeeded: now / 1_000_000) &- time
    let isOurClock = age < Self.longestWay
    let date = isOurClock ? now - UInt64(age) * 1_000_000 : now
    let number = count.note(at: date, asked: isOurClock && !isSilent ? asked : nil)
    isSilent = false
    tell(number, at: count.last?.date ?? date)
  }

  private func waitedInVain() {
    guard asked != nil else { return }
    let frame = count.standIn(at: RunLoop.Instant.now.nanoseconds, goingOn: isSilent)
    isSilent = true
    tell(frame.number, at: frame.date)
  }

  private func tell(_ number: UInt64, at date: UInt64) {
    timer.setFireDate(nil)
    guard asked != nil else { return }
    asked = nil
    link?.frameCame(number, at: date)
  }
}
