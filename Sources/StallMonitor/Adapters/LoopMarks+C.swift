extension StallMonitor.LoopMarks {
  /// A mark for loops in C: a function and what to call it with.
  public typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// What ``willWorkFunction`` and ``willWaitFunction`` are to be called with. Good for as long as the marks are kept.
  public var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// ``willWork(_:)`` as a function pointer.
  public static var willWorkFunction: Function {
    { context in unsafe StallMonitor.LoopMarks.with(context) { $0.willWork() } }
  }

  /// ``willWait()`` as a function pointer.
  public static var willWaitFunction: Function {
    { context in unsafe StallMonitor.LoopMarks.with(context) { $0.willWait() } }
  }

  private static func with(
    _ context: UnsafeMutableRawPointer?, _ body: (StallMonitor.LoopMarks) -> Void
  ) {
    guard let context = unsafe context else { return }
    // SAFETY: the context is that of marks which the caller keeps; no reference is counted.
    unsafe Unmanaged<StallMonitor.LoopMarks>.fromOpaque(context)._withUnsafeGuaranteedRef { body($0) }
  }
}
