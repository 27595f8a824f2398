extension UnwoundStack {
  /// Without a signal handler of the program's that has not run an instruction yet.
  ///
  /// A thread that sleeps takes all the signals that wait for it at once, and the one that came last first: who interrupts
  /// it to look finds it, under a storm of others, at the entry of their handler, where it has spent no time.
  ///
  /// - Parameter stackPointer: of the innermost frame; nil if it is not known.
  package func withoutUnbegunHandler(stackPointer: UInt64?) -> UnwoundStack {
    // At its entry, a function's frame is its return address: that of what the kernel put under the handler.
    guard frames.count > 2, omittedAfter > 2 || omittedCount == 0, frames[2].kind == .signal,
      let stackPointer,
      frames[0].canonicalFrameAddress == stackPointer &+ 8
    else { return self }
    let interrupted = UnwoundFrame(
      programCounter: frames[2].programCounter, kind: .exact,
      canonicalFrameAddress: frames[2].canonicalFrameAddress, origin: frames[2].origin)
    return UnwoundStack(
      frames: [interrupted] + frames.dropFirst(3), end: end, omittedCount: omittedCount,
      omittedAfter: max(0, omittedAfter - 2))
  }
}
