import MainspringTesting
import Mainspring
import Testing

@testable import StallMonitor

/// Random days in the life of a loop, its watcher, and a machine that stands still now and then: what the detector tells is
/// compared with what was.
@Suite struct StallDetectorSimulationTests {
  @Test(arguments: 0..<200)
  func `whatever happens, long passes are told once and short ones never`(seed: Int) {
    var day = Day(seed: UInt64(seed))
    day.live()
    for pass in day.passes {
      let told = day.told.filter { $0.progress == pass.progress }
      #expect(told.count <= 1, "seed \(seed): pass \(pass.progress) is told \(told.count) times")
      if pass.own >= Day.threshold + Day.margin {
        #expect(told.count == 1, "seed \(seed): pass \(pass) is not told")
      } else if pass.own + Day.margin <= Day.threshold {
        #expect(told.isEmpty, "seed \(seed): pass \(pass) is told: \(told)")
      }
      guard let (candidate, end) = told.first.map({ ($0, $0.end) }) else { continue }
      let length = end - candidate.start - candidate.excluded
      let error = length > pass.own ? length - pass.own : pass.own - length
      // Where a standstill and the end of a pass lie between the same two looks, a tick is in doubt.
      #expect(error <= Day.margin + Day.tick, "seed \(seed): pass \(pass) is said to have lasted \(length)")
    }
    #expect(day.told.allSatisfy { told in day.passes.contains { $0.progress == told.progress } })
  }
}

/// One random day, in ns.
private struct Day {
  static let ms: UInt64 = 1_000_000
  static let threshold = 50 * ms
  static let tick = 10 * ms
  /// Stamps are as old as the kernel's tick, and the beginning and the end have one each.
  static let coarse = 4 * ms
  static let margin = 2 * coarse

  struct Pass: CustomStringConvertible {
    var progress: UInt32
    var start: UInt64
    var end: UInt64
    /// Without standstills.
    var own: UInt64
    var description: String { "\(progress): \(start)…\(end), own \(own)" }
  }

  struct Told {
    var progress: UInt32
    var start: UInt64
    var end: UInt64
    var excluded: UInt64
  }

  private(set) var passes: [Pass] = []
  private(set) var told: [Told] = []
  private var standstills: [Range<UInt64>] = []
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func live() {
    makeStandstills()
    makePasses()
    watch()
  }

  private mutating func makeStandstills() {
    var time = 200 * Self.ms
    while time < 20_000 * Self.ms {
      let length = UInt64.random(in: 15...500, using: &random) * Self.ms
      standstills.append(time..<time + length)
      time += length + UInt64.random(in: 100...2000, using: &random) * Self.ms
    }
  }

  /// When something is over that begins at `start` and runs for `length`, if nothing runs during standstills.
  private func end(of start: UInt64, lasting length: UInt64) -> UInt64 {
    var (end, begun) = (start + length, start)
    for standstill in standstills where standstill.upperBound > begun && standstill.lowerBound < end {
      end += standstill.upperBound - max(standstill.lowerBound, begun)
      begun = max(begun, standstill.upperBound)
    }
    return end
  }

  private mutating func makePasses() {
    var (time, progress) = (100 * Self.ms, UInt32(10))
    while time < 18_000 * Self.ms {
      let own =
        UInt64.random(in: 1...20, using: &random) < 15
        ? UInt64.random(in: 1...30, using: &random) : UInt64.random(in: 20...400, using: &random)
      let end = end(of: time, lasting: own * Self.ms)
      passes.append(Pass(progress: progress, start: time, end: end, own: own * Self.ms))
      // Sometimes the next pass follows without a wait.
      let wait = Bool.random(using: &random) ? 0 : UInt64.random(in: 1...40, using: &random) * Self.ms
      progress += wait == 0 ? 1 : 2
      time = self.end(of: end, lasting: wait)
    }
  }

  private func stamp(_ time: UInt64) -> UInt64 { time / Self.coarse * Self.coarse }

  private mutating func watch() {
    var detector = StallDetector(.init(threshold: Self.threshold))
    var (now, before) = (UInt64(0), UInt64(0))
    while now < 20_000 * Self.ms {
      let look = look(at: now, before)
      for verdict in detector.judge(look) { note(verdict) }
      before = now
      let due = now + max(1, min(Self.tick, detector.timeToNextGrade(at: now) ?? .max))
      // Late by scheduling, and by whatever standstill it falls into.
      now = end(of: now, lasting: due - now) + UInt64.random(in: 0...3, using: &random) * Self.ms / 2
      if let inside = standstills.first(where: { $0.contains(now) }) { now = inside.upperBound }
    }
  }

  private func look(at now: UInt64, _ before: UInt64) -> StallDetector.Look {
    let current = passes.last { $0.start <= now }
    let isBusy = current.map { now < $0.end } ?? false
    let progress = current.map { isBusy ? $0.progress : $0.progress + 1 } ?? 0
    let since = current.map { stamp(isBusy ? $0.start : $0.end) } ?? 0
    let ended = passes.filter {
      $0.end <= now && $0.end > before && stamp($0.end) - stamp($0.start) >= Self.threshold
    }
    let stoodStill = standstills.map { standstill -> UInt64 in
      let (from, to) = (max(standstill.lowerBound, before), min(standstill.upperBound, now))
      return to > from ? to - from : 0
    }.reduce(0, +)
    return StallDetector.Look(
      reading: Reading(progress: progress, since: since, isBusy: isBusy), now: now,
      ended: ended.map { LongStretch(progress: $0.progress, start: stamp($0.start), end: stamp($0.end)) },
      standstill: stoodStill, window: now - before)
  }

  private mutating func note(_ verdict: StallDetector.Verdict) {
    switch verdict {
    case .ended(let candidate, let end):
      told.append(
        Told(
          progress: candidate.progress, start: candidate.start, end: end, excluded: candidate.excluded))
    case .missed(let candidate, let stretch):
      told.append(
        Told(
          progress: candidate.progress, start: candidate.start, end: stretch.end,
          excluded: candidate.excluded))
    case .began, .suspected, .confirmed, .passed: break
    }
  }
}
