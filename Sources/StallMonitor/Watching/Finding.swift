import Mainspring
import StallReport

/// Something to be reported of a loop, as it was when it was found.
struct Finding: Sendable {
  var loopNumber: Int
  var loopName: String
  var thread: Int32
  var candidate: StallDetector.Candidate
  var open: OpenStall
  var identifier: Report.Identifier
  /// When it ended, ns, monotonic; nil while it goes on.
  var end: UInt64?
  var seenAt: UInt64
}
