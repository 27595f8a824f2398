import Glibc
import Testing

@testable import StallMonitor

@Suite struct SignalStackTests {
  @Test func `a signal stack that is too small for a capture is replaced, one that is not is kept`() {
    TestThread.run {
      let small = UnsafeMutableRawPointer.allocate(byteCount: 2048, alignment: 16)
      var stack = unsafe stack_t(ss_sp: small, ss_flags: 0, ss_size: 2048)
      // A kernel that wants more of its own accord refuses it.
      guard unsafe sigaltstack(&stack, nil) == 0 else { return }
      #expect(throws: Never.self) { try StackSampler.prepareCurrentThread() }
      var present = unsafe stack_t()
      unsafe sigaltstack(nil, &present)
      #expect(unsafe present.ss_sp != small)
      #expect(unsafe present.ss_size >= 16_384)
      let large = unsafe present.ss_sp
      #expect(throws: Never.self) { try StackSampler.prepareCurrentThread() }
      unsafe sigaltstack(nil, &present)
      #expect(unsafe present.ss_sp == large)
      unsafe small.deallocate()
    }
  }
}
