import CommandLineOptions
import Mainspring
import Pictures

/// Thumbnails made by an idle main loop, one a pass before it sleeps, while a heartbeat draws the progress.
@MainActor
final class ThumbnailWork {
  private let settings: Request.Settings
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var waiting: [PictureFile]
  private let total: Int
  private var bar: ProgressBar
  private(set) var made: [Made] = []
  private(set) var failures: [String] = []
  private(set) var heartbeat = Heartbeat()
  private var isFinished = false
  /// What is called when the last thumbnail has been made.
  var whenDone: () -> Void = {}

  /// A thumbnail, and how long it took.
  struct Made {
    let file: PictureFile
    let thumbnail: Thumbnail
    let duration: Duration
  }

  init(_ files: [PictureFile], settings: Request.Settings) {
    self.settings = settings
    waiting = files.reversed()
    total = files.count
    start = clock.now
    let stream = StandardStream.error
    let isColored = stream.hasColors && !settings.isPlain
    bar = ProgressBar(
      total: total,
      look: stream.canRedraw ? .bar(columns: stream.columns ?? 80, isColored: isColored) : .lines)
  }

  /// Adds the work and the heartbeat to the main loop.
  func begin() {
    RunLoop.main.addObserver(of: .beforeWaiting) { observer, _ in
      if self.makeNext() {
        // Not to sleep while there is more: the loop looks after everything else and comes by again.
        RunLoop.main.wakeUp()
      } else {
        observer.invalidate()
        self.finish()
      }
    }
    RunLoop.main.addTimer(every: Heartbeat.interval) { _ in
      self.heartbeat.beat(at: self.clock.now - self.start)
      self.draw()
    }
  }

  private func makeNext() -> Bool {
    guard let file = waiting.popLast() else { return false }
    make(file, detail: .atLeast(2 * settings.side))
    return true
  }

  /// Makes one thumbnail, in place of one that was made before. Blocks the loop for as long as that takes.
  ///
  /// - Returns: Whether it was made; otherwise it is among the failures.
  @discardableResult
  func make(_ file: PictureFile, detail: Picture.Detail) -> Bool {
    let begin = clock.now
    do {
      let thumbnail = try Thumbnail.make(of: file, in: settings.output, side: settings.side, detail: detail)
      made.removeAll { $0.file == file }
      made.append(Made(file: file, thumbnail: thumbnail, duration: clock.now - begin))
      return true
    } catch {
      fail(file.name, "\(error)")
      return false
    }
  }

  /// Notes that a file has no thumbnail.
  func fail(_ name: String, _ reason: String) { failures.append("\(name): \(reason)") }

  private func draw() {
    // The heart goes on beating when the bar is gone: others may write in its place.
    guard !isFinished else { return }
    let done = total - waiting.count
    let label = waiting.last?.name.onOneLine ?? "done"
    StandardStream.error.write(bar.text(done: done, label: label, at: clock.now - start))
  }

  private func finish() {
    draw()
    isFinished = true
    StandardStream.error.write(bar.erasure)
    whenDone()
  }
}
