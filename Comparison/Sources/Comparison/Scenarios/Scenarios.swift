/// The scenarios, in the order of the table.
enum Scenarios {
  static let all: [any Scenario] = [
    // Runs and their ends.
    NestedTimeoutLost(), NestedWakeLost(), StopRaces(), StopRun(), RemoveLast(), SpinEmpty(), PortKeepAlive(),
    // Work that is sent.
    PerformWakeup(), BlockNested(), BlockFromBlock(), MainQueueNested(), Starve(),
    // Sources, observers and modes.
    SourceOrder(), SourceEqual(), CalloutLocked(), SourceDescriptor(), ObserverEnum(), CommonModes(),
    RunInCommon(),
    // Timers and time.
    TimerFirstFire(), TimerTinyInterval(), TimerZeroInterval(), TimerLeak(), StaleTimer(), Tolerance(),
    Huge(), TimeJump(),
    CoarseClock(),
    // What it costs.
    TimerScale(), TimedRunThreads(), ScaleBlocks(), ScaleSources(), ScaleDescriptors(), DescriptorsHeld(),
    // The process around it.
    OutOfDescriptors(), ForkShared(), ProcessWait(),
  ]

  static func named(_ name: String) -> (any Scenario)? { all.first { $0.name == name } }
}
