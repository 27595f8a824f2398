extension Report {
  /// One look at the stalled thread.
  public struct Sample: Sendable, Equatable {
    /// The time since the stall's start.
    public var time: Duration
    /// The index of its stack in ``StackTable/stacks``; `nil` if none could be had.
    public var stack: Int?
    /// The time that the sample stands for.
    public var weight: Duration
    /// The scheduler's letter: R runs, S sleeps, D sleeps and takes no signal, …
    public var state: Character?
    /// What the look cost the stalled thread.
    public var cost: Duration?
    /// How the stack was had.
    public var method: Method

    /// A look at the thread, `time` after the stall's start.
    public init(
      time: Duration, stack: Int?, weight: Duration, state: Character?, cost: Duration? = nil,
      method: Method = .signal
    ) {
      self.time = time
      self.stack = stack
      self.weight = weight
      self.state = state
      self.cost = cost
      self.method = method
    }

    /// The ways to a stack.
    public enum Method: String, Sendable, CaseIterable, JSONEncodable {
      /// A signal, whose handler copied it.
      case signal
      /// The thread had not moved since the sample before.
      case unchanged
      /// From program counter and stack pointer alone: less to be trusted.
      case scan
      /// No stack: the thread takes no signals.
      case none
    }
  }
}

extension Report.Sample: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("t_ms", milliseconds: time)
      json.member("stack", stack)
      json.member("weight_ms", milliseconds: weight)
      json.member("state", state.map(String.init))
      json.member("cost_us", microseconds: cost)
      json.member("how", method)
    }
  }
}
