import Testing

@testable import Counts

@Suite struct `What the tools write` {
  private let trace = """
    10 futex(0x1, FUTEX_WAKE_PRIVATE, 1) = 0
    10 write(-1, "begin", 5)             = -1 EBADF (Bad file descriptor)
    10 futex(0x1, FUTEX_WAKE_PRIVATE, 1) = 0
    10 write(-1, "end", 3)               = -1 EBADF (Bad file descriptor)
    10 getpid()                          = 10
    10 write(-1, "begin", 5)             = -1 EBADF (Bad file descriptor)
    10 futex(0x1, FUTEX_WAIT_PRIVATE, 1, NULL <unfinished ...>
    11 read(3, "write(-1, x", 8)         = 8
    11 clock_nanosleep(CLOCK_REALTIME, 0, {tv_sec=0, tv_nsec=100000}, NULL) = 0
    10 <... futex resumed>)              = 0
    10 --- SIGCHLD {si_signo=SIGCHLD} ---
    11 +++ exited with 0 +++
    10 write(-1, "end", 3)               = -1 EBADF (Bad file descriptor)

    """

  @Test func `a trace's calls between the marks are counted once each, of all threads`() throws {
    let count = try CallTrace(text: trace).count
    #expect((count.once, count.thrice) == (1, 2))
    #expect(count.parts == ["futex": .init(once: 1, thrice: 1), "read": .init(once: 0, thrice: 1)])
    #expect(count.parts(of: 1).map(\.name) == ["read"])
  }

  @Test func `a trace that ends too early is none`() {
    #expect(throws: Unreadable.self) { try CallTrace(text: String(trace.prefix(300))) }
  }

  @Test func `a profile's total is its last line's`() throws {
    #expect(try CallgrindProfile(text: "summary: 9\nfn=(1) a\n1 2\n\ntotals: 12345\n").total == 12345)
    #expect(throws: Unreadable.self) { try CallgrindProfile(text: "summary: 9\n") }
  }

  @Test func `a measured program's counts are its last two lines`() throws {
    #expect(try Count(lines: "something said\n3\n9\n") == Count(once: 3, thrice: 9))
    #expect(throws: Unreadable.self) { try Count(lines: "3\n") }
  }
}
