extension Report.DecodingError {
  /// How much of everything a reader takes: far more than a monitor writes, and as much as can be shown in seconds.
  ///
  /// A report of a hundred threads has some 200 KB; the monitor keeps at most 64 samples of 128 frames.
  public enum Limit: String, Sendable, CaseIterable {
    /// Bytes of the text.
    case bytes
    /// Levels of arrays and objects.
    case depth
    /// Values of all kinds together.
    case values
    /// Bytes of one string, as they stand in the text.
    case stringBytes
    /// Bytes of one number, as they stand in the text.
    case numberBytes
    /// Frames of one stack.
    case stackFrames
    /// Samples.
    case samples
    /// Threads, and likewise waits among them.
    case threads
    /// Bytes of the names in the stacks of all samples and threads, written out for each: a short text can refer to one
    /// long stack many times.
    case namedBytes

    /// The most that is taken.
    public var most: Int {
      switch self {
      case .bytes: 16 << 20
      case .depth: 32
      case .values: 1 << 19
      case .stringBytes: 1 << 20
      case .numberBytes: 128
      case .stackFrames: 1024
      case .samples: 4096
      case .threads: 1024
      case .namedBytes: 32 << 20
      }
    }

    var things: String {
      switch self {
      case .bytes: "bytes"
      case .depth: "levels"
      case .values: "values"
      case .stringBytes: "bytes of a string"
      case .numberBytes: "bytes of a number"
      case .stackFrames: "frames of a stack"
      case .samples: "samples"
      case .threads: "threads or waits"
      case .namedBytes: "bytes of names in all stacks"
      }
    }

    func check(_ count: Int) throws(Report.DecodingError) {
      if count > most { throw Report.DecodingError(.exceeds(self)) }
    }
  }
}
