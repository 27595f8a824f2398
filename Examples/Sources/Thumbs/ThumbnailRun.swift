import CommandLineOptions
import Pictures

/// The making of many thumbnails, with what it shows meanwhile and tells at the end.
struct ThumbnailRun {
  private let settings: Request.Settings
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var bar: ProgressBar
  private var table = ResultTable(columns: [
    .init(head: "FILE"), .init(head: "SIZE", isNumber: true), .init(head: "THUMBNAIL", isNumber: true),
    .init(head: "MS", isNumber: true),
  ])
  private var done = 0
  private var failures: [String] = []

  init(settings: Request.Settings, count: Int) {
    self.settings = settings
    start = clock.now
    let stream = StandardStream.error
    let isColored = stream.hasColors && !settings.isPlain
    bar = ProgressBar(
      total: count,
      look: stream.canRedraw ? .bar(columns: stream.columns ?? 80, isColored: isColored) : .lines)
  }

  /// Makes one thumbnail of the whole picture. Blocks the thread.
  mutating func make(_ file: PictureFile) {
    show(file.name)
    let begin = clock.now
    do {
      let thumbnail = try Thumbnail.make(
        of: file, in: settings.output, side: settings.side, detail: .full)
      let milliseconds = (clock.now - begin) / .milliseconds(1)
      table.add([file.name, "\(file.size)", "\(thumbnail.size)", "\(Int(milliseconds.rounded()))"])
    } catch {
      fail(file.name, "\(error)")
    }
    done += 1
    show(file.name)
  }

  /// Notes that a file has no thumbnail.
  mutating func fail(_ name: String, _ reason: String) { failures.append("\(name): \(reason)") }

  /// Writes the table and what failed.
  func finish() -> ExitCode {
    StandardStream.error.write(bar.erasure)
    StandardStream.output.write(table.text)
    for failure in failures { StandardStream.error.write("Thumbs: \(failure)\n") }
    return failures.isEmpty ? .success : .failure
  }

  private mutating func show(_ name: String) {
    StandardStream.error.write(bar.text(done: done, label: name, at: clock.now - start))
  }
}
