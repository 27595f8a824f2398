import StallReport
import Testing

@Suite struct `Apple's layout` {
  @Test func `the full report reads like this`() {
    let text = Report.full().text(view: .apple)
    #expect(
      text == """
        Incident Identifier: 0F6D1C3E-9A5B-4E0C-8A61-D1B0C2F4A7E9
        CrashReporter Key:   h-5f2c
        Hardware Model:  KVM
        Process:         maild [4121]
        Identifier:      maild
        Version:         2.3.1 (1842)
        Code Type:       X86-64
        Parent Process:  ??? [1]

        Date/Time:       2026-09-22 14:13:20.123 +0000
        End time:        2026-09-22 14:13:21.835 +0000
        OS Version:      Debian GNU/Linux 12 (6.18.44)
        Report Version:  104

        Event:           stall, recovered
        Duration:        1712 ms
        Stalled Thread:  0

        Application Specific Information:
        Stall of 1712 ms on loop "main" (threshold 250 ms), busy: 96 % on the CPU
        callout  timer made at MailStore.swift:41, 3.1 ms late: MailStore.reindex()
        culprit  MailStore.reindex() at MailStore.swift:88, 100 % of the sampled time

        Thread 0 name:  maild
        Thread 0 state: R (runs), number 4121, 1588 ms on the CPU
        Thread 0 (stalled):
        0   libc.so.6            0x00007fa579ce10f0 memmove
        1   maild                0x00005628662e2290 MailStore.tokenize(_:) (MailStore.swift:131)
        2   maild                0x00005628662e20f4 MailStore.reindex() + 436 (MailStore.swift:88)
        3   maild                0x0000562866628001 callOut
        4   maild                0x0000562866627e7b RunLoop.run(in:)
        5   maild                0x00005628662e11a0 main (MailStore.swift:12)

        Thread 1 name:  db-writer
        Thread 1 state: S (sleeps), number 4130, 0 ms on the CPU
        Thread 1 waits for futex 0x7fa568000c78, held by thread 4121 "maild" in MailStore.tokenize(_:) at
        MailStore.swift:131
        Thread 1:
        No stack could be taken.

        Thread 0 stalled with X86-64 Thread State:
           rip: 0x00007fa579ce10f0    rbp: 0x00007ffc542d2790    rsp: 0x00007ffc542d2738

        Binary Images:
            0x5628662e0000 -     0x5628663fffff +maild x86_64  <93ac> /usr/lib/maild/maild
            0x7fa579c45000 -     0x7fa579dc00fb  libc.so.6 x86_64  <0a1b> /lib/libc.so.6

        """)
  }

  @Test func `a frame gives the offset in its function, or in its image where it has no name`() {
    var report = Report.full()
    var named = Report.Frame(image: 1, offset: 0x100, symbol: "read")
    named.symbolOffset = 12
    let nameless = Report.Frame(image: 0, offset: 0x20, symbol: nil)
    let nowhere = Report.Frame(symbol: nil)
    let left = Report.Frame(symbol: nil, kind: .gap(40))
    report.threads[0].stack = report.stacks.index(ofStack: [named, nameless, left, nowhere])
    let lines = report.text(view: .apple).split(separator: "\n")
    let frames = lines.drop { !$0.hasPrefix("Thread 0 (stalled)") }.dropFirst().prefix(4)
    #expect(
      Array(frames) == [
        "0   libc.so.6            0x00007fa579c45100 read + 12",
        "1   maild                0x00005628662e0020 0x00005628662e0000 + 32",
        "2   ... 40 frames left out ...",
        "3   ???                  0x0000000000000000 ???",
      ])
  }

  @Test func `registers stand in the order that readers know, four a line where they fit`() {
    var report = Report.full()
    report.threads[0].registers = ["r8": 8, "rax": 1, "rip": 2, "zz": 3, "rbx": 4]
    let text = report.text(view: .apple, style: .init(isColored: false, width: 120))
    #expect(
      text.contains(
        """
        Thread 0 stalled with X86-64 Thread State:
           rip: 0x0000000000000002    rax: 0x0000000000000001    rbx: 0x0000000000000004     r8: 0x0000000000000008
            zz: 0x0000000000000003

        """))
  }

  @Test func `a report of which little is known has no line for the rest`() {
    #expect(
      Report.bare().text(view: .apple) == """
        Incident Identifier: 00000000-0000-0001-0000-000000000002
        Process:         maild [4121]
        Identifier:      maild

        Date/Time:       2026-09-22 14:13:20.123 +0000
        Report Version:  104

        Event:           stall, recovered
        Duration:        1712 ms
        Stalled Thread:  0

        Application Specific Information:
        Stall of 1712 ms on loop "main" (threshold 250 ms)
        callout  timer callback

        Thread 0 state: unknown, number 4121
        Thread 0 (stalled):
        No stack could be taken.

        """)
  }

  @Test func `the executable's path is that of the image with its build-id`() {
    var report = Report.full()
    report.app.buildID = "93ac"
    #expect(report.text(view: .apple).contains("\nPath:            /usr/lib/maild/maild\n"))
  }
}
