import Glibc

/// Some of the seeds that a test tries, so that all processors have a part in it.
package struct Share: Sendable {
  package let first: UInt64
  package let count: Int

  private static let shareCount = 8
  /// How long it is silent at most, while its programs end.
  private static let silence = Duration.seconds(20)

  /// The same seeds every time, so that a change is told from luck; with `MAINSPRING_LONG` more, and others each time.
  package static func shares(of usual: Int, long: Int) -> [Share] {
    let isLong = unsafe getenv("MAINSPRING_LONG") != nil
    let first: UInt64 = isLong ? .random(in: .min ... .max) : 1
    let count = (isLong ? long : usual) / shareCount
    return (0..<shareCount).map { Share(first: first &+ UInt64($0 * count), count: count) }
  }

  /// The one of `MAINSPRING_SEED`, for looking at it.
  package static var chosenSeed: UInt64? {
    guard let text = unsafe getenv("MAINSPRING_SEED") else { return nil }
    return unsafe UInt64(String(cString: text))
  }

  /// What `difference` says of the first seed that it says something of.
  package func firstDifference(_ difference: (UInt64) -> String?) -> String? {
    var lastSign = ContinuousClock.now
    for number in 0..<count {
      let seed = first &+ UInt64(number)
      if let difference = difference(seed) { return difference }
      guard number.isMultiple(of: 100), lastSign.duration(to: .now) >= Self.silence else { continue }
      lastSign = .now
      Self.sayOnStandardError("\(number) of \(count) programs from seed \(first) on are alike\n")
    }
    return nil
  }

  private static func sayOnStandardError(_ text: String) {
    // SAFETY: the bytes live during the call. What could not be written is not missed.
    _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Share: CustomStringConvertible {
  package var description: String { "\(count) from \(first) on" }
}
