import Symbols
import Testing

@Suite struct UnbegunHandlerTests {
  private func frame(_ address: UInt64, _ kind: UnwoundFrame.Kind, _ frameAddress: UInt64) -> UnwoundFrame {
    UnwoundFrame(
      programCounter: address, kind: kind, canonicalFrameAddress: frameAddress, origin: .unwindTable)
  }

  /// handler ← trampoline ← interrupted ← its caller.
  private func stack(handlerFrame: UInt64, second: UnwoundFrame.Kind = .signal) -> UnwoundStack {
    UnwoundStack(
      frames: [
        frame(0x10, .exact, handlerFrame), frame(0x20, .returnAddress, 0x5000), frame(0x30, second, 0x6000),
        frame(0x40, .returnAddress, 0x7000),
      ], end: .base)
  }

  @Test func `a handler at its entry is left out, with the kernel's frame under it`() {
    let kept = stack(handlerFrame: 0x1008).withoutUnbegunHandler(stackPointer: 0x1000)
    #expect(kept.frames.map(\.programCounter) == [0x30, 0x40])
    #expect(kept.frames.first?.kind == .exact)
    #expect(kept.isComplete)
  }

  @Test func `one that runs is what the thread does`() {
    let running = stack(handlerFrame: 0x1010)
    #expect(running.withoutUnbegunHandler(stackPointer: 0x1000) == running)
  }

  @Test func `a function at its entry that no signal called stays`() {
    let called = stack(handlerFrame: 0x1008, second: .returnAddress)
    #expect(called.withoutUnbegunHandler(stackPointer: 0x1000) == called)
    #expect(called.withoutUnbegunHandler(stackPointer: nil) == called)
    let short = UnwoundStack(frames: [frame(0x10, .exact, 0x1008)], end: .base)
    #expect(short.withoutUnbegunHandler(stackPointer: 0x1000) == short)
  }
}
