import LinuxKernel
import Mainspring
import StallReport
import Symbols

/// What a report tells of a crash beside where it was.
struct CrashFacts: Sendable, Equatable {
  var signalName: String
  var code: CInt
  var thread: CInt
  var address: UInt64?

  init(_ crash: CrashRescue.Crash) {
    signalName = crash.signalName
    code = crash.code
    thread = crash.thread
    address = crash.address
  }

  /// As `stall-report/1` has them.
  var annotations: [String: String] {
    var words = ["crash_signal": signalName, "crash_code": String(code), "crash_thread": String(thread)]
    words["crash_address"] = address.map { "0x" + String($0, radix: 16) }
    return words
  }
}

extension StackSampler {
  /// The stack that a thread crashed on, which is held in the handler of the signal: from the registers that the kernel
  /// saved, and from memory that does not change any more.
  func sample(_ crash: CrashRescue.Crash) -> StackSample? {
    var registers = RegisterSet()
    for (number, value) in crash.registers.enumerated() { registers[number] = value }
    guard registers.programCounter != 0 || registers.stackPointer != 0 else { return nil }
    refreshModules()
    // A call of a function that is none: where it was called from is what its stack begins with.
    if !isCode(registers.programCounter), let caller = word(at: registers.stackPointer), isCode(caller) {
      registers[Register.programCounter] = caller
      registers[Register.rsp] = registers.stackPointer &+ 8
    }
    return sample(ofThread: crash.thread, stoppedAt: registers)
  }

  private func word(at address: UInt64) -> UInt64? {
    let bytes = memory.bytes(at: address, count: 8)
    guard bytes.count == 8 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
