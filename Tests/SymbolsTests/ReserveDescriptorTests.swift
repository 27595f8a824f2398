import Glibc
import Testing

@testable import Symbols

@Suite struct ReserveDescriptorTests {
  /// In a child of its own: it takes all descriptors.
  @Test func `when the process has no descriptor left, small files can be read all the same`() async {
    await #expect(processExitsWith: .success) {
      ReadOnlyFile.keepReserve()
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 64
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      while dup(0) >= 0 {}
      precondition(errno == EMFILE, "the process has descriptors left")
      for _ in 0..<3 {
        let bytes = try ReadOnlyFile.contents(ofPath: "/proc/self/status")
        precondition(!bytes.isEmpty)
      }
      exit(0)
    }
  }

  @Test func `a program that closed it and opened something else keeps that`() async {
    await #expect(processExitsWith: .success) {
      ReadOnlyFile.keepReserve()
      for number in 3..<64 as Range<CInt> { close(number) }
      var others: [CInt] = []
      while let made = Optional(dup(0)), made >= 0, made < 64 { others.append(made) }
      precondition(!ReserveDescriptor.giveUp())
      precondition(others.allSatisfy { fcntl($0, F_GETFD) >= 0 })
      exit(0)
    }
  }
}
