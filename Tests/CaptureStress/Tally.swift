import StallMonitor
import Symbols

/// What came of the stacks that were asked for.
struct Tally {
  var bySignal = 0
  var passive = 0
  var complete = 0
  var frames = 0
  var restarted = 0
  var symbolicated = 0
  /// Stacks that did not reach the thread's first function, by why.
  var incomplete: [String: Int] = [:]
  /// A few of them, from the innermost frame on.
  var examples: [String] = []
  /// Stacks that could not be taken, by why. Not those of threads that have ended.
  var failures: [String: Int] = [:]
  var pauses = Histogram()

  var taken: Int { bySignal + passive }

  mutating func add(_ sample: StackSample) {
    switch sample.method {
    case .signal:
      bySignal += 1
      pauses.add(
        UInt64(clamping: sample.pause.components.attoseconds / 1_000_000_000)
          + UInt64(clamping: sample.pause.components.seconds) * 1_000_000_000)
    case .passive: passive += 1
    }
    frames += sample.stack.frames.count
    if sample.didRestartCall { restarted += 1 }
    if sample.isComplete {
      complete += 1
    } else {
      incomplete["\(sample.stack.end)", default: 0] += 1
      if examples.count < Self.exampleCountMax { examples.append(Self.description(of: sample)) }
    }
  }

  private static let exampleCountMax = 12

  private static func description(of sample: StackSample) -> String {
    let frames = sample.stack.frames.suffix(6).map { frame in
      guard let module = sample.modules.module(at: frame.lookupAddress) else {
        return "0x" + String(frame.programCounter, radix: 16)
      }
      let file = module.path.split(separator: "/").last ?? ""
      return "\(file)+0x\(String(frame.programCounter &- module.base, radix: 16))"
    }
    return "\(sample.threadName) \(sample.method) \(sample.stack.end), \(sample.stack.frames.count) frames: "
      + frames.joined(separator: " < ")
  }

  mutating func add(_ error: CaptureError) {
    if case .noSuchThread = error { return }
    failures["\(error)", default: 0] += 1
  }

  mutating func add(_ other: Tally) {
    bySignal += other.bySignal
    passive += other.passive
    complete += other.complete
    frames += other.frames
    restarted += other.restarted
    symbolicated += other.symbolicated
    examples = Array((examples + other.examples).prefix(Self.exampleCountMax))
    incomplete.merge(other.incomplete, uniquingKeysWith: +)
    failures.merge(other.failures, uniquingKeysWith: +)
    pauses.add(other.pauses)
  }
}
