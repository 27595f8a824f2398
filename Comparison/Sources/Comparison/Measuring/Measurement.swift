import Workbench

/// What became of a scenario on one side.
struct Measurement: Sendable, Equatable {
  typealias End = ChildProcess.End

  var facts: Facts
  /// How the side's process ended.
  var end: End
  /// The last line that the side's process wrote on standard error.
  var complaint = ""
}
