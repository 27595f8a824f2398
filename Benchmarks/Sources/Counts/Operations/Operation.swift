/// Something that a program does with a loop through its public interface, done over and over to tell what once costs.
struct Operation: Sendable {
  let name: String
  /// What one of them is, in one line.
  let what: String
  /// How many are done at first, and then three times as many: what makes the difference is not in what was made before.
  let times: Int
  /// How many rounds are done before, so that buffers have grown and threads have met.
  let warmUps: Int
  /// How much its counts differ from run to run.
  let steadiness: Steadiness
  /// By what it can be counted.
  let measures: [Measure]
  /// Makes what is needed, on the main thread with its loop, and answers what does the operation so many times.
  let prepare: @Sendable () throws -> (_ times: Int) throws -> Void

  /// How much counts differ from run to run.
  enum Steadiness: Sendable {
    /// Hardly: one thing happens after another.
    case steady
    /// A little: a thread is now and then the first at a lock, and now and then the second; a date lies now and then in
    /// another slot of the wheel.
    case varying
  }

  init(
    _ name: String, _ what: String, times: Int = 200, warmUps: Int = 2, steadiness: Steadiness = .steady,
    by measures: [Measure] = Measure.allCases,
    _ prepare: @escaping @Sendable () throws -> (_ times: Int) throws -> Void
  ) {
    self.name = name
    self.what = what
    self.times = times
    self.warmUps = warmUps
    self.steadiness = steadiness
    self.measures = measures
    self.prepare = prepare
  }
}
