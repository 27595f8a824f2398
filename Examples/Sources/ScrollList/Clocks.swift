import Mainspring

/// Two clocks that are alike but for their modes: one stands still while the user scrolls.
@MainActor
final class Clocks {
  static let interval = Duration.milliseconds(100)

  /// How often the one in the default mode was called.
  private(set) var inDefaultMode = 0
  /// How often the one in the common modes was called.
  private(set) var inCommonModes = 0

  init(on loop: MainRunLoop) {
    loop.addTimer(every: Self.interval, to: .default) { [weak self] _ in self?.inDefaultMode += 1 }
    loop.addTimer(every: Self.interval, to: .common) { [weak self] _ in self?.inCommonModes += 1 }
  }

  /// `0:12.3`.
  static func text(_ ticks: Int) -> String {
    let seconds = ticks / 10
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60).\(ticks % 10)"
  }
}
