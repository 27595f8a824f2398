import CommandLineOptions
import Pictures
import StallReport
import Tables

/// What is told at the end: the thumbnails, the heartbeat and the stalls.
@MainActor
struct Summary {
  let work: ThumbnailWork
  let reports: [Report]
  let settings: Request.Settings

  /// Answers whether it could be written.
  func write() -> Bool {
    StandardStream.output.write(settings.isJSON ? json : text)
  }

  // MARK: for people

  private var text: String {
    let stream = StandardStream.output
    let style = Report.Style(
      isColored: stream.hasColors && !settings.isPlain, width: stream.columns ?? 100)
    return ([thumbnails, heartbeat, stalls] + reports.map { $0.text(style: style) }).joined(separator: "\n")
  }

  private var thumbnails: String {
    var table = ResultTable(columns: [
      .init(head: "FILE"), .init(head: "SIZE", isNumber: true), .init(head: "THUMBNAIL", isNumber: true),
      .init(head: "MS", isNumber: true),
    ])
    for made in work.made {
      table.add([
        made.file.name.onOneLine, "\(made.file.size)", "\(made.thumbnail.size)",
        "\(Milliseconds(made.duration).rounded)",
      ])
    }
    return table.text
  }

  private var heartbeat: String {
    let beat = work.heartbeat
    return "Heartbeat: every \(Milliseconds(Heartbeat.interval)), \(beat.count) beats, "
      + "longest gap \(Milliseconds(beat.longestGap)).\n"
  }

  private var stalls: String {
    guard !reports.isEmpty else { return "No stall: no pass was seen to take as long as the threshold.\n" }
    let count = reports.count == 1 ? "1 stall" : "\(reports.count) stalls"
    let rows = [Report.summaryHeader] + reports.map(\.summary)
    return "\(count), with reports in \(settings.reports.onOneLine):\n\n" + rows.joined(separator: "\n")
      + "\n"
  }

  // MARK: for tools

  private var json: String {
    var json = JSONWriter(layout: .pretty)
    json.object { json in
      json.member("thumbnails", work.made.count)
      json.member("failures", work.failures)
      json.member("heartbeat") { json in
        json.object { json in
          json.member("interval_ms", Milliseconds(Heartbeat.interval).rounded)
          json.member("beats", work.heartbeat.count)
          json.member("longest_gap_ms", Milliseconds(work.heartbeat.longestGap).rounded)
        }
      }
      json.member("reports", reports)
    }
    return json.text + "\n"
  }
}

/// A span in whole milliseconds, for people.
struct Milliseconds: CustomStringConvertible {
  let rounded: Int

  init(_ duration: Duration) { rounded = Int((duration / .milliseconds(1)).rounded()) }

  var description: String { "\(rounded) ms" }
}
