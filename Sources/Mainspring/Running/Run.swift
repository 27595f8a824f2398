/// A run on the loop's stack.
///
/// Only on the loop's thread.
final class Run {
  let view: ModeView
  /// When it is over, ns, monotonic; nil without limit.
  let deadline: UInt64?
  /// One pass, and no sleep in it.
  let isSinglePass: Bool
  let returnsAfterSourceHandled: Bool
  let whenEmpty: RunLoop.EmptyPolicy
  let stopPolicy: StopPolicy
  /// Ends the run once it holds; asked at the end of each pass and before sleep.
  let isSignalled: (() -> Bool)?

  @safe @exclusivity(unchecked) var hasHandledSource = false
  @safe @exclusivity(unchecked) var stopsPassedOver = 0
  /// A pass reached one of its limits: the next one is busy.
  @safe @exclusivity(unchecked) var leftWork = false
  /// Busy passes in a row, and since when (0: not known).
  @safe @exclusivity(unchecked) var busyPasses = 0
  @safe @exclusivity(unchecked) var busySince: UInt64 = 0
  @safe @exclusivity(unchecked) var lastLook: UInt64 = 0

  /// What a stop of the innermost run does.
  enum StopPolicy { case end, countAndGoOn }

  init(
    view: ModeView, deadline: UInt64?, isSinglePass: Bool, returnsAfterSourceHandled: Bool,
    whenEmpty: RunLoop.EmptyPolicy, stopPolicy: StopPolicy, isSignalled: (() -> Bool)?
  ) {
    self.view = view
    self.deadline = deadline
    self.isSinglePass = isSinglePass
    self.returnsAfterSourceHandled = returnsAfterSourceHandled
    self.whenEmpty = whenEmpty
    self.stopPolicy = stopPolicy
    self.isSignalled = isSignalled
  }

  func result(_ reason: RunLoop.RunResult.Reason) -> RunLoop.RunResult {
    RunLoop.RunResult(reason, handledSource: hasHandledSource, stopsPassedOver: stopsPassedOver)
  }
}
