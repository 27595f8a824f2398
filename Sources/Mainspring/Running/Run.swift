/// A run on the loop's stack.
///
/// The objects are kept by the loop and used again, so that a run costs no memory. Only on the loop's thread.
@safe final class Run {
  /// What it sees. SAFETY: a loop keeps every view it has made.
  @exclusivity(unchecked) private var borrowedView: Unmanaged<ModeView>
  /// When it is over, ns, monotonic; the largest number without limit.
  @safe @exclusivity(unchecked) private(set) var deadline = UInt64.max
  @safe @exclusivity(unchecked) private(set) var manner: Manner = []
  /// What it waits for besides, if anything.
  @safe @exclusivity(unchecked) private var awaited: Awaited?
  /// Whether the item that it waits for was called since it began.
  @safe @exclusivity(unchecked) private var hasHandledAwaited = false

  @safe @exclusivity(unchecked) var hasHandledSource = false
  /// A pass reached one of its limits: the next one is busy.
  @safe @exclusivity(unchecked) var leftWork = false
  @safe @exclusivity(unchecked) var stopsPassedOver = 0
  /// Busy passes in a row, and since when (0: not known).
  @safe @exclusivity(unchecked) var busyPasses = 0
  @safe @exclusivity(unchecked) var busySince: UInt64 = 0
  @safe @exclusivity(unchecked) var lastLook: UInt64 = 0

  /// What the beacon showed when it began, if it is nested.
  @safe @exclusivity(unchecked) var outer = Shown()

  struct Shown {
    var state = Beacon.State(rawValue: 0)
    var site = CallSite.unknown
    /// Mode and nesting.
    var run = Beacon.State.outsideRuns
  }

  /// How it was asked for.
  struct Manner: OptionSet {
    let rawValue: UInt8
    /// One pass, and no sleep in it.
    static let singlePass = Manner(rawValue: 1)
    static let returnsAfterSourceHandled = Manner(rawValue: 2)
    /// Goes on when its mode is empty.
    static let waitsWhenEmpty = Manner(rawValue: 4)
    /// Counts the stops of the innermost run, and is not ended by them.
    static let goesOnAfterStops = Manner(rawValue: 8)
    /// A turn that a host lets the loop have: where the loop would sleep, it is over.
    static let hosted = Manner(rawValue: 16)
    /// The loop serves another library's queue, which the run looks at in its passes. Not asked for, but the loop's.
    static let servesQueue = Manner(rawValue: 32)
    /// The loop has something to be put round its runs. Not asked for, but the loop's.
    static let enclosed = Manner(rawValue: 64)
    /// The pass before did not serve another library's queue, so that this one may look at it.
    static let mayPeek = Manner(rawValue: 128)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ whenEmpty: RunLoop.EmptyPolicy) { self = whenEmpty == .wait ? .waitsWhenEmpty : [] }
  }

  /// What a run can wait for.
  enum Awaited {
    case token(RunLoop.Token)
    /// That it is called, or cannot be any more.
    case item(RunLoop.Item)
  }

  init(_ view: ModeView) { unsafe borrowedView = Unmanaged.passUnretained(view) }

  var view: ModeView { unsafe borrowedView.takeUnretainedValue() }

  /// Begins anew.
  @inline(__always)
  func begin(_ view: ModeView, deadline: UInt64, _ manner: Manner, until awaited: Awaited?) {
    unsafe borrowedView = Unmanaged.passUnretained(view)
    self.deadline = deadline
    self.manner = manner
    hasHandledSource = false
    leftWork = false
    stopsPassedOver = 0
    busyPasses = 0
    busySince = 0
    lastLook = 0
    if let awaited {
      self.awaited = awaited
      hasHandledAwaited = false
    }
  }

  /// Lets go of what was the caller's.
  @inline(__always)
  func end() { if awaited != nil { awaited = nil } }

  @inline(__always) var isSinglePass: Bool { manner.contains(.singlePass) }
  @inline(__always) var returnsAfterSourceHandled: Bool { manner.contains(.returnsAfterSourceHandled) }
  @inline(__always) var finishesWhenEmpty: Bool { !manner.contains(.waitsWhenEmpty) }
  @inline(__always) var goesOnAfterStops: Bool { manner.contains(.goesOnAfterStops) }

  @inline(__always) var isHosted: Bool { manner.contains(.hosted) }

  /// Whether it is a turn, or has something round it.
  @inline(__always) var isHostedOrEnclosed: Bool { !manner.isDisjoint(with: [.hosted, .enclosed]) }

  /// Whether there is something to look at after the sources of a pass.
  @inline(__always) var looksAfterSources: Bool {
    !manner.isDisjoint(with: [.returnsAfterSourceHandled, .servesQueue])
  }

  /// The loop began to serve a queue while the run was on.
  func beginToServeQueue() { manner.insert(.servesQueue) }

  var mayPeek: Bool {
    get { manner.contains(.mayPeek) }
    set { if newValue { manner.insert(.mayPeek) } else { manner.remove(.mayPeek) } }
  }

  /// Whether what it waits for has happened; asked at the end of each pass and before sleep.
  @inline(__always)
  var isSignalled: Bool { awaited != nil && hasHappened }

  private var hasHappened: Bool {
    switch awaited {
    case nil: false
    case .token(let token): token.isSignalled
    case .item(let item): hasHandledAwaited || !item.isValid
    }
  }

  /// An item was called.
  func noteHandled(_ item: RunLoop.Item) {
    if case .item(let awaited) = awaited, awaited === item { hasHandledAwaited = true }
  }

  @inline(__always)
  func result(_ reason: RunLoop.RunResult.Reason) -> RunLoop.RunResult {
    RunLoop.RunResult(reason, handledSource: hasHandledSource, stopsPassedOver: stopsPassedOver)
  }
}
