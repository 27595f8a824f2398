/// A run on the loop's stack.
///
/// The objects are kept by the loop and used again, so that a run costs no memory. Only on the loop's thread.
final class Run {
  /// What it sees. A loop keeps every view it has made.
  @safe @exclusivity(unchecked) private(set) var view: ModeView
  /// When it is over, ns, monotonic; nil without limit.
  @safe @exclusivity(unchecked) private(set) var deadline: UInt64?
  /// How it was asked for.
  @safe @exclusivity(unchecked) private(set) var manner = Manner()

  @safe @exclusivity(unchecked) var hasHandledSource = false
  @safe @exclusivity(unchecked) var stopsPassedOver = 0
  /// A pass reached one of its limits: the next one is busy.
  @safe @exclusivity(unchecked) var leftWork = false
  /// Busy passes in a row, and since when (0: not known).
  @safe @exclusivity(unchecked) var busyPasses = 0
  @safe @exclusivity(unchecked) var busySince: UInt64 = 0
  @safe @exclusivity(unchecked) var lastLook: UInt64 = 0
  /// What it waits for, if that is the call of an item.
  @safe @exclusivity(unchecked) private(set) var awaitedItem: RunLoop.Item?
  /// Whether that was called since it began.
  @safe @exclusivity(unchecked) var hasHandledAwaited = false

  /// What a stop of the innermost run does.
  enum StopPolicy { case end, countAndGoOn }

  struct Manner {
    /// One pass, and no sleep in it.
    var isSinglePass = false
    var returnsAfterSourceHandled = false
    var whenEmpty = RunLoop.EmptyPolicy.finish
    var stopPolicy = StopPolicy.end
    /// Ends the run once it holds; asked at the end of each pass and before sleep.
    var isSignalled: (() -> Bool)?
    /// Ends the run once it was called, or cannot be any more.
    var awaitedItem: RunLoop.Item?
  }

  init(_ view: ModeView) { self.view = view }

  /// Begins anew.
  func begin(_ newView: ModeView, deadline: UInt64?, _ manner: consuming Manner) {
    if view !== newView { view = newView }
    self.deadline = deadline
    hasHandledSource = false
    stopsPassedOver = 0
    leftWork = false
    busyPasses = 0
    busySince = 0
    lastLook = 0
    hasHandledAwaited = false
    awaitedItem = manner.awaitedItem
    self.manner = manner
  }

  /// Lets go of what was the caller's.
  @inline(__always)
  func end() {
    if manner.isSignalled != nil || awaitedItem != nil { forget() }
  }

  private func forget() {
    // Released after it was taken out: that may run code of the user's.
    let (formerManner, formerItem) = (manner, awaitedItem)
    manner = Manner()
    awaitedItem = nil
    _ = (formerManner, formerItem)
  }

  @inline(__always) var isSinglePass: Bool { manner.isSinglePass }
  @inline(__always) var returnsAfterSourceHandled: Bool { manner.returnsAfterSourceHandled }
  @inline(__always) var whenEmpty: RunLoop.EmptyPolicy { manner.whenEmpty }
  @inline(__always) var stopPolicy: StopPolicy { manner.stopPolicy }

  /// Whether what it waits for has happened.
  @inline(__always)
  var isSignalled: Bool {
    if let isSignalled = manner.isSignalled { return isSignalled() }
    if let awaitedItem { return hasHandledAwaited || !awaitedItem.isValid }
    return false
  }

  func result(_ reason: RunLoop.RunResult.Reason) -> RunLoop.RunResult {
    RunLoop.RunResult(reason, handledSource: hasHandledSource, stopsPassedOver: stopsPassedOver)
  }
}
