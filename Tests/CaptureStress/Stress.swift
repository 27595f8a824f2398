import CStressWork
import Foundation

/// The work, the samplers beside it, and what is said of them.
struct Stress {
  let sampleCount: Int

  /// So much more memory at the end than after the first tenth is growth, KiB.
  private static let growthMax = 64 << 10
  private static let completeShareMin = 0.999

  /// Says a line each second, and a table at the end. Whether all was as it must be.
  func run() -> Bool {
    let work = Work()
    let sampling = Sampling(wanted: sampleCount)
    work.start()
    let begun = monotonicNow()
    sampling.start()
    var residentBefore: Int?
    while !sampling.isOver {
      sleepSecond()
      let taken = sampling.current.taken
      if residentBefore == nil, taken >= sampleCount / 10 { residentBefore = Self.residentKiB }
      let harm = "EINTR \(work.interruptedWaits.value), short \(work.shortWaits.value)"
      say(
        "progress \(taken) of \(sampleCount); \(work.waits.value) waits, \(harm); \(Self.residentKiB >> 10) MiB"
      )
    }
    let seconds = Double(monotonicNow() - begun) / 1e9
    let outcome = StressOutcome(
      tally: sampling.current, seconds: seconds, residentBefore: residentBefore ?? 0,
      residentAfter: Self.residentKiB, stormCount: stress_storm_count())
    say(outcome.table(work))
    let complaints = outcome.complaints(
      work, growthMax: Self.growthMax, completeShareMin: Self.completeShareMin)
    for complaint in complaints { say("not as it must be: \(complaint)") }
    return complaints.isEmpty
  }

  /// At once, as the watching process waits for it.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// Not a sleep that a sample could cut short.
  private func sleepSecond() {
    let end = monotonicNow() + 1_000_000_000
    while monotonicNow() < end { usleep(50_000) }
  }

  private static var residentKiB: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
  }
}
