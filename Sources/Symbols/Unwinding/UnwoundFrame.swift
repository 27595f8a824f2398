/// One frame of a stack.
package struct UnwoundFrame: Sendable, Equatable {
  /// What the program counter means, and so which address to look up.
  package enum Kind: Sendable, Equatable {
    /// The instruction that was about to run: the innermost frame, or one that a signal interrupted.
    case exact
    /// The instruction after a call.
    case returnAddress
    /// The frame beneath a signal handler: its program counter is exact, too.
    case signal
    /// Where an async caller goes on. Not on the stack: found by its context.
    case asyncResume
  }

  /// How the frame was found.
  package enum Origin: Sendable, Equatable {
    case registers
    case unwindTable
    case framePointer
    /// The word where a return address must lie if the function has only begun.
    case returnAddressGuess
    case asyncContext
  }

  package let programCounter: UInt64
  package let kind: Kind
  /// The canonical frame address: the stack pointer before the call that made this frame. Nil: not known.
  package var canonicalFrameAddress: UInt64?
  package let origin: Origin

  package init(
    programCounter: UInt64, kind: Kind, canonicalFrameAddress: UInt64? = nil, origin: Origin
  ) {
    self.programCounter = programCounter
    self.kind = kind
    self.canonicalFrameAddress = canonicalFrameAddress
    self.origin = origin
  }

  /// The address inside the instruction that the frame is at: a return address may already belong to the
  /// next line, or to the next function.
  package var lookupAddress: UInt64 { kind == .returnAddress ? programCounter &- 1 : programCounter }
}

/// The frames of a stack, innermost first.
package struct UnwoundStack: Sendable, Equatable {
  /// Why unwinding ended.
  package enum End: Sendable, Equatable {
    /// At the thread's first function: the stack is complete.
    case base
    /// At code without unwind table and without a believable frame pointer.
    case noUnwindTable
    /// Above the copy: the stack is deeper than what was copied.
    case outsideCopy
    /// After more frames than any stack is believed to have.
    case limit
    /// At a table or a stack that contradicts itself.
    case malformed
  }

  package var frames: [UnwoundFrame]
  package var end: End
  /// Frames that were left out of the middle, as there were too many: behind `frames[omittedAfter]`.
  package private(set) var omittedCount: Int
  package private(set) var omittedAfter: Int

  package init(frames: [UnwoundFrame], end: End, omittedCount: Int = 0, omittedAfter: Int = 0) {
    self.frames = frames
    self.end = end
    self.omittedCount = omittedCount
    self.omittedAfter = omittedAfter
  }

  /// Puts several frames in the place of each.
  mutating func replaceEachFrame(_ replacement: (UnwoundFrame) -> [UnwoundFrame]) {
    let innermost = frames.prefix(omittedAfter + 1).flatMap(replacement)
    frames = innermost + frames.dropFirst(omittedAfter + 1).flatMap(replacement)
    omittedAfter = max(0, innermost.count - 1)
  }

  /// Whether the thread's first function was reached, whatever was left out before it.
  package var isComplete: Bool { end == .base }
}
