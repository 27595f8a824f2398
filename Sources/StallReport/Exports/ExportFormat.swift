/// A format of other tools' that reports can be written in.
///
/// The raw value is the word for command lines. Each has what its tool can show, and no more than that: the report as it
/// is, is `stall-report/1`. Docs/Exports.md has the tools' command lines.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// A line a stack, `program;loop;issue;root;…;leaf milliseconds`: for flamegraph.pl, inferno, speedscope, and all else
  /// that draws flame graphs. The reports are added up.
  case collapsed
  /// speedscope's own: a profile a report and thread, with the order of the samples and their files and lines. For
  /// speedscope.app and `speedscope`.
  case speedscope
  /// The protocol buffer of `pprof`, not compressed, though the tool takes it compressed, too: for `go tool pprof`,
  /// Pyroscope, Parca, Polar Signals. The reports are added up, told apart by labels.
  case pprof
  /// Trace events in JSON: for ui.perfetto.dev and chrome://tracing. A process a report, whose stalls all begin at the
  /// same place.
  case chromeTrace = "chrome-trace"
  /// The processed profile of the Firefox Profiler: for profiler.firefox.com, and for flame graphs in ui.perfetto.dev. A
  /// process a report, as with ``chromeTrace``.
  case firefox
  /// The logs of OpenTelemetry in JSON, one line: for a collector's `/v1/logs` or its `otlpjsonfile` receiver. A log
  /// record a report.
  case otlp
  /// An envelope of Sentry's, with an event and the report itself as its attachment: for `sentry-cli send-envelope`, and
  /// for the endpoint `/envelope/`. Several reports are one envelope behind the other: see ``holdsOneReport``.
  case sentry

  /// What a file's name ends in, without the leading full stop.
  public var fileExtension: String {
    switch self {
    case .collapsed: "folded"
    case .speedscope: "speedscope.json"
    case .pprof: "pb"
    case .chromeTrace: "trace.json"
    case .firefox: "firefox.json"
    case .otlp: "otlp.json"
    case .sentry: "envelope"
    }
  }

  /// Whether the tools expect one report a file: several in one then have to be cut apart, or written to files of their
  /// own.
  public var holdsOneReport: Bool { self == .sentry }

  /// Whether it is text in UTF-8, and may be printed.
  public var isText: Bool { self != .pprof }

  /// The reports in this format. Each can be encoded, whatever it lacks or has in its names.
  ///
  /// Names longer than some hundred characters are cut in the middle, since formats repeat them.
  /// - Complexity: O(frames of all samples and threads), in time and length.
  public func encode(_ reports: [Report]) -> [UInt8] {
    let reports = reports.map(\.fingerprinted)
    return switch self {
    case .collapsed: CollapsedExport.encode(reports)
    case .speedscope: SpeedscopeExport(reports).encoded()
    case .pprof: PprofExport(reports).encoded()
    case .chromeTrace: ChromeTraceExport(reports).encoded()
    case .firefox: FirefoxExport(reports).encoded()
    case .otlp: OTLPExport(reports).encoded()
    case .sentry: SentryExport.encode(reports)
    }
  }
}
