extension RunLoop {
  /// The order numbers, among observers of beforeWaiting, of what the library itself does there: those that are taken where
  /// nothing is said. Who wants to be called before or after one takes a smaller or a larger number.
  ///
  /// Observers of the number 0, the usual one, come before all of these.
  public enum OrderNumber {
    /// ``Gestures``: before what their actions mark is done.
    public static let gestures = 1_000_000
    /// A ``Batch``: before idle work, which would make what is to be seen wait.
    public static let batches = 2_000_000
    /// An ``IdleQueue``. What its tasks mark is done in the pass that follows, and before the loop sleeps.
    public static let idleWork = 3_000_000
    /// A ``ReleasePool``: nearly the last, so that what the others pushed goes as well.
    public static let releasePools = Int.max - 1000
    /// A ``HostedLoop`` asks for what it waits for: behind all that may give it something to do.
    public static let hostedLoops = Int.max - 500
  }
}
