import Glibc
import Mainspring
import Testing

@Suite struct UnpollableTests {
  private func withNull(_ body: (CInt) throws -> Void) rethrows {
    let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    precondition(null >= 0, "/dev/null cannot be opened")
    defer { close(null) }
    try body(null)
  }

  @Test func `M29: a device that cannot be polled is a typed error at add`() {
    TestThread {
      let loop = RunLoop.current
      withNull { null in
        #expect(throws: RunLoop.DescriptorError.notPollable(null)) {
          try loop.add(RunLoop.DescriptorSource(null) { _, _ in }, to: .default)
        }
      }
    }.join()
  }

  @Test func `M29: such a device is always ready where that was asked for`() {
    TestThread {
      let loop = RunLoop.current
      withNull { null in
        let source = RunLoop.DescriptorSource(null, files: .alwaysReady) { source, readiness in
          #expect(readiness == .read)
          source.invalidate()
        }
        #expect(throws: Never.self) { try loop.add(source, to: .default) }
        #expect(loop.run().handledSource)
      }
    }.join()
  }
}
