/// The callers that await an async function: they are on no stack, but hang off its context.
extension Unwinder {
  /// More callers than this are left out.
  package static let asyncCallerCountMax = 64

  /// The frames with the async callers of each async function behind it, innermost first.
  ///
  /// Works for code with frame pointers (SwiftPM's default): the context then lies at a fixed place of the
  /// frame. Reads the contexts from memory: call it soon after the copy was taken.
  package func addingAsyncCallers(to unwound: UnwoundStack, stack: StackCopy) -> UnwoundStack {
    var result = unwound
    result.replaceEachFrame { [$0] + asyncCallers(of: $0, stack: stack) }
    return result
  }

  private func asyncCallers(of frame: UnwoundFrame, stack: StackCopy) -> [UnwoundFrame] {
    guard let frameAddress = frame.canonicalFrameAddress, keepsContext(frame),
      var context = stack.word(at: frameAddress &- 24)
    else { return [] }
    var callers: [UnwoundFrame] = []
    while context != 0, callers.count < Self.asyncCallerCountMax {
      let words = memory.bytes(at: context, count: 16)
      guard let parent: UInt64 = words.integer(at: 0), let resume: UInt64 = words.integer(at: 8),
        modules.index(at: resume) != nil
      else { break }
      callers.append(UnwoundFrame(programCounter: resume, kind: .asyncResume, origin: .asyncContext))
      context = parent
    }
    return callers
  }

  /// Whether the frame's function begins as only async functions do:
  /// `push %rbp; push %r14; lea 8(%rsp), %rbp`, with the context in r14.
  private func keepsContext(_ frame: UnwoundFrame) -> Bool {
    guard let (rules, _) = rules(at: frame.lookupAddress) else { return false }
    if let known = asyncFunctions[rules.functionStart] { return known }
    let prologue: [UInt8] = [0x55, 0x41, 0x56, 0x48, 0x8d, 0x6c, 0x24, 0x08]
    let isAsync = memory.bytes(at: rules.functionStart, count: prologue.count) == prologue
    asyncFunctions[rules.functionStart] = isAsync
    return isAsync
  }
}
