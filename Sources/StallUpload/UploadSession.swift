import LinuxKernel
import Mainspring
import StallMonitor

/// Sends what one archive holds, batch by batch. On its thread's loop, but where it says otherwise.
final class UploadSession: @unchecked Sendable {
  // Sendable: everything but `outcome`, which is a word for all threads, is touched on the loop's thread alone.
  private let configuration: StallUpload.Configuration
  private let archive: ReportArchive
  private var curl: Curl?
  private var timer: RunLoop.Timer?
  private var rhythm: UploadRhythm
  private var limit: BatchLimit
  private var random = SystemRandomNumberGenerator()
  private var current: Current?
  /// The names of reports that could not be read, or were dealt with and could not be given another name.
  private var unmarked: Set<String> = []
  /// What was told last to be wrong.
  private var problem: String?
  private var isFinishing = false
  private let outcome = FutexWord(Ending.open.rawValue)

  /// The batch that is under way.
  private struct Current {
    var request: Request
    var reports: [ArchivedReport]
    /// Held for as long as the batch is.
    var lock: UploadLock
  }

  private enum Ending: UInt32 {
    case open, allSent, someLeft
  }

  init(_ configuration: StallUpload.Configuration, _ archive: ReportArchive) {
    self.configuration = configuration
    self.archive = archive
    rhythm = UploadRhythm(
      UploadRhythm.Limits(interval: configuration.interval, countAtOnce: configuration.batchCountMax))
    limit = BatchLimit(count: configuration.batchCountMax, bytes: configuration.batchBytesMax)
  }

  func start(on loop: RunLoop) {
    curl = Curl(on: loop)
    guard curl != nil else { return tell("reports are not uploaded: libcurl is of no use here") }
    let timer = RunLoop.Timer(rearmable: ()) { [weak self] _ in self?.send() }
    loop.add(timer, to: .common)
    self.timer = timer
    rhythm.mayHaveWork(at: .now)
    schedule()
  }

  func noteStored(isUrgent: Bool) {
    rhythm.noteStored(isUrgent: isUrgent, at: .now)
    schedule()
  }

  private func schedule() {
    if current == nil { timer?.setFireDate(rhythm.nextDate) }
    endIfDone()
  }

  // MARK: a batch

  private func send() {
    guard current == nil, let curl, !rhythm.isResting(at: .now) else { return }
    defer { schedule() }
    do throws(KernelError) {
      guard let lock = try UploadLock(of: archive) else { return noteBusyElsewhere() }
      let (reports, body) = try gather()
      guard !reports.isEmpty else { return rhythm.noteNothingWaits() }
      let request = Request(configuration, body: body) { [weak self] in self?.finish($0) }
      guard let request else { throw KernelError.noMemory }
      current = Current(request: request, reports: reports, lock: lock)
      curl.begin(request)
    } catch {
      fail("the archive cannot be read: \(error)", isUnwelcome: false, askedRest: nil)
    }
  }

  private func noteBusyElsewhere() {
    rhythm.noteBusyElsewhere(at: .now)
    if isFinishing { end(.someLeft) }
  }

  /// As many of the oldest reports as go into a batch, and their bytes one after the other.
  private func gather() throws(KernelError) -> (reports: [ArchivedReport], body: [UInt8]) {
    var reports: [ArchivedReport] = []
    var body: [UInt8] = []
    for report in try archive.pending() where !unmarked.contains(report.name) {
      guard limit.admits(bytes: report.byteCount, after: (reports.count, body.count)) else { break }
      guard let bytes = bytes(of: report) else { continue }
      reports.append(report)
      body += bytes
    }
    return (reports, body)
  }

  /// Nil if it cannot be had. One that is gone since it was listed, for its age or since the stall went on, is not missed.
  private func bytes(of report: ArchivedReport) -> [UInt8]? {
    do throws(KernelError) { return try archive.read(report, limit: Self.reportBytesMax) } catch {
      if error != .notThere {
        unmarked.insert(report.name)
        tell("the report \(report.name) cannot be read, and is not sent: \(error)")
      }
      return nil
    }
  }

  /// More is no report of ours.
  private static let reportBytesMax = 16 << 20

  private func finish(_ outcome: Request.Outcome) {
    guard let batch = current else { return }
    current = nil
    let answer = UploadAnswer(
      status: outcome.status, problem: outcome.problem, retryAfter: outcome.retryAfter)
    switch answer {
    case .accepted:
      limit.grow()
      settle(batch.reports) { report throws(KernelError) in try archive.markSent(report) }
    case .tooLarge, .refused:
      if batch.reports.count > 1 {
        limit.shrink(from: batch.reports.count)
        works()
      } else if let report = batch.reports.first {
        tell("the server will not have the report \(report.name): status \(outcome.status)")
        settle(batch.reports) { report throws(KernelError) in try archive.markRefused(report) }
      }
    case .unwelcome(let reason): fail(reason, isUnwelcome: true, askedRest: nil)
    case .later(let rest, let reason): fail(reason, isUnwelcome: false, askedRest: rest)
    }
    schedule()
  }

  /// Marks what was dealt with. What cannot be marked stays as it is, and would be sent again at once, and without end.
  private func settle(_ reports: [ArchivedReport], _ mark: (ArchivedReport) throws(KernelError) -> Void) {
    var failure: KernelError?
    for report in reports {
      do throws(KernelError) { try mark(report) } catch {
        unmarked.insert(report.name)
        failure = error
      }
    }
    if let failure {
      tell("reports were sent but cannot be marked, and will be sent again by the next start: \(failure)")
    }
    works()
  }

  private func works() {
    rhythm.noteDealtWith(at: .now)
    guard problem != nil else { return }
    problem = nil
    tell("reports are uploaded again")
  }

  private func fail(_ reason: String, isUnwelcome: Bool, askedRest: Duration?) {
    rhythm.noteFailure(isUnwelcome: isUnwelcome, askedRest: askedRest, at: .now, using: &random)
    guard problem != reason else { return }
    problem = reason
    tell("reports cannot be uploaded to \(configuration.address) for now, and are kept: \(reason)")
  }

  private func tell(_ line: String) { configuration.onChange?(line) }

  // MARK: the end

  /// From now on nothing is waited for.
  func beginFinish() {
    isFinishing = true
    if !rhythm.isResting(at: .now) { rhythm.mayHaveWork(at: .now) }
    schedule()
  }

  private func endIfDone() {
    guard isFinishing, current == nil else { return }
    if rhythm.nextDate == nil {
      end(.allSent)
    } else if rhythm.isResting(at: .now) || curl == nil {
      end(.someLeft)
    }
  }

  private func end(_ ending: Ending) {
    guard outcome.compareExchange(Ending.open.rawValue, ending.rawValue) else { return }
    outcome.wake(all: true)
  }

  /// Waits until everything is sent, or nothing more can be. Any other thread.
  ///
  /// - Returns: whether everything is sent.
  func waitUntilFinished(_ deadline: RunLoop.Instant) -> Bool {
    while outcome.load() == Ending.open.rawValue {
      if outcome.wait(while: Ending.open.rawValue, until: deadline.nanoseconds) == .timedOut { break }
    }
    return outcome.load() == Ending.allSent.rawValue
  }

  /// Ends what is under way. The server may have got it: it knows reports by their identifiers.
  func abandon() {
    if let current { curl?.cancel(current.request) }
    (current, curl) = (nil, nil)
    timer?.invalidate()
    end(.someLeft)
  }
}
