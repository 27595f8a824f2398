import MainspringTesting
import Symbols
import Testing

@testable import StallMonitor

@Suite struct CaptureParsingTests {
  @Test func `a thread in a call`() {
    let text = "7 0x55d0 0x1 0xffffffff 0x0 0x8 0x0 0x7ffc0010 0x7f00aa\n"
    let call = SystemCall(parsing: Array(text.utf8)).call
    #expect(call?.number == 7)
    #expect(call?.arguments == [0x55d0, 1, 0xffff_ffff, 0, 8, 0])
    #expect(call?.stackPointer == 0x7ffc_0010)
    #expect(call?.programCounter == 0x7f00aa)
  }

  @Test(
    arguments: [
      ("running\n", .running), ("-1 0x10 0x20\n", .outsideCall(stackPointer: 0x10, programCounter: 0x20)),
      ("", .unknown), ("7 0x1 0x2\n", .unknown), ("7\n", .unknown), ("-1 0x10\n", .unknown),
    ] as [(String, SystemCall)])
  func `a thread elsewhere`(text: String, place: SystemCall) {
    #expect(SystemCall(parsing: Array(text.utf8)) == place)
  }

  @Test func `cut off anywhere, a call is a call or unknown`() {
    let text = Array("7 0x55d0 0x1 0xffffffff 0x0 0x8 0x0 0x7ffc0010 0x7f00aa".utf8)
    for count in 0...text.count {
      let place = SystemCall(parsing: Array(text[..<count]))
      #expect(place == .unknown || place.call?.number == 7)
    }
  }

  @Test func `state, mask and switches of a status`() {
    let text = """
      Name:\tworker
      State:\tS (sleeping)
      SigBlk:\tfffffffe3bfbea27
      voluntary_ctxt_switches:\t12
      nonvoluntary_ctxt_switches:\t3

      """
    let status = ThreadStatus(parsing: Array(text.utf8))
    #expect(status?.state == "S")
    #expect(status?.voluntarySwitches == 12)
    #expect(status?.involuntarySwitches == 3)
    // A worker of libdispatch: SIGPROF is open, the first real-time signal is not.
    #expect(status?.isBlocked(27) == false)
    #expect(status?.isBlocked(34) == true)
    #expect(status?.isBlocked(0) == false)
    #expect(status?.isBlocked(65) == false)
  }

  @Test func `a status without state or mask is none`() {
    #expect(ThreadStatus(parsing: []) == nil)
    #expect(ThreadStatus(parsing: Array("State:\tR (running)\n".utf8)) == nil)
    #expect(ThreadStatus(parsing: Array("SigBlk:\t0000000000000000\n".utf8)) == nil)
  }

  @Test(
    arguments: [
      (35, [9, 9, 0, 0, 0, 0], false), (35, [9, 0, 0, 0, 0, 0], true),
      (230, [1, 0, 9, 9, 0, 0], false), (230, [1, 0, 9, 0, 0, 0], true), (230, [1, 1, 9, 0, 0, 0], false),
      (7, [0, 0, 400, 0, 0, 0], true), (7, [0, 0, 0xFFFF_FFFF, 0, 0, 0], false),
      (232, [3, 8, 1, 400, 0, 0], true), (232, [3, 8, 1, 0xFFFF_FFFF, 0, 0], false),
      (202, [8, 128, 0, 9, 0, 0], true), (202, [8, 128, 0, 0, 0, 0], false),
      (202, [8, 137, 0, 9, 0, 0], false),
      (0, [3, 8, 1, 0, 0, 0], false), (7, [0, 0, 400], false),
    ] as [(Int64, [UInt64], Bool)])
  func `a wait for a span is told from one until a moment or for ever`(
    number: Int64, arguments: [UInt64], isGivenSpan: Bool
  ) {
    let call = SystemCall.Call(number: number, arguments: arguments, stackPointer: 0, programCounter: 0)
    #expect(call.isGivenSpan == isGivenSpan)
  }

  /// Lines as the kernel writes them, changed and cut at random: whatever the readers answer, they must answer.
  @Test func `damaged files of the kernel's never trap`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("damaged files of the kernel's: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let texts = [
      "7 0x55d0 0x1 0xffffffff 0x0 0x8 0x0 0x7ffc0010 0x7f00aa\n", "-1 0x7ffc0010 0x7f00aa\n", "running\n",
      "Name:\tx\nState:\tS (sleeping)\nSigBlk:\tfffffffe3bfbea27\nvoluntary_ctxt_switches:\t12\n",
      "123456 789 10\n",
      "00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon\n7ffe0000-7ffe1000 r-xp 0 0:0 0 [vdso]\n",
    ].map { Array($0.utf8) }
    let status = ThreadStatus(parsing: texts[3])
    for _ in 0..<4000 {
      var text = texts.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...4, using: &random) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch random.next() % 4 {
        case 0: text[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: text.remove(at: place)
        case 2: text.insert(contentsOf: Array("ffffffffffffffffffff9".utf8), at: place)
        default: text.removeSubrange(place...)
        }
      }
      let call = SystemCall(parsing: text)
      if let call = call.call { #expect(call.arguments.count == 6, "seed \(seed)") }
      _ = WaitReader(memory: OwnMemory(), isOwnThread: { _ in true }, descriptorLink: { _ in nil }).target(
        of: call)
      _ = ThreadStatus(parsing: text)
      if let status { _ = ThreadTimes(parsing: text, status: status) }
      let modules = ModuleMap(parsing: text).modules
      #expect(modules.allSatisfy { !$0.text.isEmpty }, "seed \(seed)")
    }
  }
}
