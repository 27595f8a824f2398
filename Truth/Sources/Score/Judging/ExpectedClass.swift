import TruthLog

/// What a report may say of where the time of an injection went.
enum ExpectedClass {
  /// A class that was meant is held to if the thread's own figures do not speak clearly against it: on a machine that
  /// takes the processor away, a function that spins is starved.
  private static let clearShare = 0.7
  /// The window that a monitor measures begins later than the stall, so that its shares differ from ours by so much.
  private static let tolerance = 0.1

  static func accepted(of judged: Judged) -> Set<String> {
    let (truth, length) = (judged.truth, Double(judged.length))
    guard let cpu = truth.cpu, let runnable = truth.runnable, length > 0 else { return [truth.meantClass] }
    let (on, ready) = (Double(cpu) / length, Double(runnable) / length)
    let off = max(0, 1 - on - ready)
    if truth.meantClass == "busy", on >= clearShare { return ["busy"] }
    if truth.meantClass == "blocked", off >= clearShare { return ["blocked"] }
    var accepted: Set<String> = []
    for onError in [-tolerance, 0, tolerance] {
      for readyError in [-tolerance, 0, tolerance] {
        let (on, ready) = (on + onError, ready + readyError)
        accepted.insert(verdict(on: on, ready: ready, off: 1 - on - ready))
      }
    }
    return accepted
  }

  /// By the shares that the report's documentation gives.
  private static func verdict(on: Double, ready: Double, off: Double) -> String {
    if on >= 0.6 { return "busy" }
    if ready >= 0.5 { return "starved" }
    return off >= 0.6 ? "blocked" : "mixed"
  }
}
