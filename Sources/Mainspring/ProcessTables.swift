import LinuxKernel

/// What the loops of a process share.
enum ProcessTables {
  /// Makes all of it, at the first loop: what is made at its first use may be half made, by a thread that has gone, in
  /// a child that was forked meanwhile, which would wait for it for ever.
  static func make() { made }

  private static let made: Void = {
    Fork.watch()
    ModeNames.make()
    WaitingLoops.make()
    SignalListener.makePlaces()
    RunLoop.makePlaceOfLaterMainLoop()
  }()
}
