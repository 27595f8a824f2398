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

  private func profile(_ text: String) throws -> CallgrindProfile {
    var names: [Substring: Substring] = ["(7)": "known"]
    return try CallgrindProfile(text: text, names: &names)
  }

  @Test func `a profile has each function's own instructions, and the calls`() throws {
    let text = """
      summary: 9
      fl=(1) file.c
      fn=(1) outer
      10 2
      +1 3
      cfn=(2) inner
      calls=4 20
      +1 400
      * 1

      fn=(2)
      20 400
      cfn=(7)
      calls=1 30
      -2 5
      totals: 12345

      """
    let profile = try profile(text)
    #expect(profile.total == 12345)
    #expect(profile.instructions == ["outer": 6, "inner": 400])
    #expect(profile.calls[.init(caller: "outer", callee: "inner")] == 4)
    #expect(profile.calls[.init(caller: "inner", callee: "known")] == 1)
  }

  @Test func `a profile that ends too early is none`() {
    #expect(throws: Unreadable.self) { try profile("summary: 9\n") }
  }

  @Test func `a breakdown names Swift's functions as they were written, and who asks for memory`() throws {
    let once = try profile("totals: 0\n")
    let thrice = try profile(
      "fn=$s10Mainspring7RunLoopC6wakeUpyyF\n1 400\ncfn=malloc\ncalls=4 1\n1 9\ntotals: 400\n")
    #expect(
      Breakdown(once: once, thrice: thrice, times: 2).text(width: 80) == """
        INSTRUCTIONS  FUNCTION
                 100  RunLoop.wakeUp() -> ()

         ALLOCATIONS  ASKED FOR BY
                   1  RunLoop.wakeUp() -> ()

        """)
  }

  @Test func `a measured program's counts are its last two lines`() throws {
    #expect(try Count(lines: "something said\n3\n9\n") == Count(once: 3, thrice: 9))
    #expect(throws: Unreadable.self) { try Count(lines: "3\n") }
  }

  @Test(arguments: [
    ("malloc", "malloc"),
    ("$s10Mainspring7RunLoopC6wakeUpyyF", "RunLoop.wakeUp() -> ()"),
    ("$sSh8containsySbxF10Mainspring7RunLoopC4ModeV_Tg5", "Set.contains(A) -> Bool"),
    ("$s10Mainspring11ThreadLoopsC3topAA7RunLoopCSgvgTf4n_g", "ThreadLoops.top.getter : Optional<RunLoop>"),
  ])
  func `a function's name is without what the compiler did`(name: String, written: String) {
    #expect(FunctionName.written(name[...]) == written)
  }
}
