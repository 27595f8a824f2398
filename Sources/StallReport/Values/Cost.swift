extension Report {
  /// Where the time of the stalled thread went, between the first look at the stall and its end.
  public struct Cost: Sendable, Equatable {
    /// The span that the other times are parts of.
    public var window: Duration?
    /// Time on a processor.
    public var cpu: Duration?
    /// Time ready to run but not run.
    public var runnable: Duration?
    /// Time off the processors for any other reason.
    public var offCPU: Duration?
    /// The verdict on these times.
    public var verdict: Verdict?
    /// Page faults that needed input.
    public var majorFaults: Int?
    /// Page faults that needed none.
    public var minorFaults: Int?
    /// Context switches because the thread waited.
    public var voluntarySwitches: Int?
    /// Context switches because the kernel took the processor away.
    public var involuntarySwitches: Int?
    /// Percent of the last ten seconds in which some task of the host lacked a processor.
    public var cpuPressure: Double?
    /// The same for input and output.
    public var ioPressure: Double?
    /// The same for memory.
    public var memoryPressure: Double?
    /// The system call that the thread was in: its name, or its number if it has none here.
    public var systemCall: String?
    /// The kernel function in which the thread slept.
    public var waitChannel: String?

    /// The times, all unknown unless given, and the verdict that follows from them.
    public init(
      window: Duration? = nil, cpu: Duration? = nil, runnable: Duration? = nil, offCPU: Duration? = nil,
      isThrottled: Bool = false
    ) {
      self.window = window
      self.cpu = cpu
      self.runnable = runnable
      self.offCPU = offCPU
      verdict = Verdict(
        window: window, cpu: cpu, runnable: runnable, offCPU: offCPU, isThrottled: isThrottled)
    }
  }
}

extension Report.Cost: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("window_ms", milliseconds: window)
      json.member("cpu_ms", milliseconds: cpu)
      json.member("runnable_ms", milliseconds: runnable)
      json.member("offcpu_ms", milliseconds: offCPU)
      json.member("class", verdict)
      json.member("majflt", majorFaults)
      json.member("minflt", minorFaults)
      json.member("nvcsw", voluntarySwitches)
      json.member("nivcsw", involuntarySwitches)
      json.member("psi_cpu_some_avg10", number: cpuPressure)
      json.member("psi_io_some_avg10", number: ioPressure)
      json.member("psi_mem_some_avg10", number: memoryPressure)
      json.member("syscall", systemCall)
      json.member("wchan", waitChannel)
    }
  }
}
