import CommandLineOptions
import Gzip
import StallReport

/// What reports are printed as.
enum ReportForm: Equatable {
  /// A table, a line a report.
  case list
  /// For people.
  case text(ViewArgument.View)
  /// As they are.
  case json
  /// For other tools.
  case export(ExportFormat)

  /// Whether it is nothing for eyes.
  var isBinary: Bool { if case .export(let format) = self { !format.isText } else { false } }

  /// The reports in this form.
  ///
  /// - Parameter isMany: whether there may be several, even if there is one now.
  func encode(_ reports: [Report], isMany: Bool) throws(Failure) -> [UInt8] {
    switch self {
    // Whoever takes it from a pipe wants the titles whole.
    case .list: return Array(Report.table(of: reports, style: .ofOutput(otherwise: 10_000)).utf8)
    case .text(.view(let view)):
      return Array(
        reports.map { $0.text(view: view, style: .ofOutput(otherwise: 100)) }.joined(separator: "\n").utf8)
    case .text(.summary):
      return Array(([Report.summaryHeader] + reports.map(\.summary)).map { $0 + "\n" }.joined().utf8)
    case .json:
      return Array(reports.map { $0.json(layout: isMany ? .compact : .pretty) + "\n" }.joined().utf8)
    case .export(let format): return try Self.packed(format.encode(reports), format)
    }
  }

  /// The tools of this one expect it packed.
  private static func packed(_ bytes: [UInt8], _ format: ExportFormat) throws(Failure) -> [UInt8] {
    guard format == .pprof else { return bytes }
    do throws(Gzip.Failure) {
      return try Gzip.compress(bytes)
    } catch {
      throw Failure(reason: "\(format.rawValue): there is no memory to pack it")
    }
  }
}

extension Report.Style {
  /// What standard output has: a terminal its width and perhaps colours; a pipe or file neither, but the width that is given.
  fileprivate static func ofOutput(otherwise width: Int) -> Self {
    let columns = StandardStream.output.isTerminal ? StandardStream.output.columns : nil
    return Self(isColored: StandardStream.output.hasColors, width: columns ?? width)
  }
}

/// The word for what is shown of a report.
struct ViewArgument: ArgumentValue, Equatable {
  enum View: Equatable {
    case view(Report.View)
    /// One line.
    case summary
  }

  let view: View

  init(argument: String) throws(MalformedArgument) {
    if argument == "summary" {
      view = .summary
    } else if let known = Report.View(rawValue: argument) {
      view = .view(known)
    } else {
      let words = Report.View.allCases.map(\.rawValue) + ["summary"]
      throw MalformedArgument.unknown(argument, among: words)
    }
  }
}

/// The word for a format of other tools'.
struct FormatArgument: ArgumentValue, Equatable {
  let format: ExportFormat

  init(argument: String) throws(MalformedArgument) {
    guard let format = ExportFormat(rawValue: argument) else {
      throw MalformedArgument.unknown(argument, among: ExportFormat.allCases.map(\.rawValue))
    }
    self.format = format
  }
}

extension MalformedArgument {
  fileprivate static func unknown(_ word: String, among words: [String]) -> Self {
    let near = Spelling.nearest(to: word, among: words).map { "; did you mean \($0)?" }
    return Self("'\(word)' is not known" + (near ?? "; write one of \(words.joined(separator: ", "))"))
  }
}
