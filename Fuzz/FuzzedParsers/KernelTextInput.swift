import StallMonitor
import Symbols

/// The input is what a file of the kernel's says.
enum KernelTextInput {
  static func readMaps(_ text: [UInt8]) {
    let map = ModuleMap(parsing: text)
    var end: UInt64 = 0
    for (position, module) in map.modules.enumerated() {
      precondition(module.text.lowerBound >= end, "modules overlap at \(module.text)")
      precondition(!module.text.isEmpty, "a module without code")
      precondition(map.index(at: module.text.lowerBound) == position, "a module is not found")
      precondition(map.index(at: module.text.upperBound - 1) == position, "a module's end is not found")
      end = module.text.upperBound
    }
    for address in [0, 1, end, .max] { _ = map.module(at: address) }
  }

  /// All readers of a thread's files: each is cheap, and none may trust that it has the right file.
  static func readThread(_ text: [UInt8]) {
    let place = SystemCall(parsing: text)
    if let call = place.call {
      precondition(call.arguments.count == 6, "\(call.arguments.count) arguments")
      _ = call.isGivenSpan
    }
    let waits = WaitReader(
      memory: PieceMemory([]), isOwnThread: { $0 < 100 },
      descriptorLink: { _ in String(decoding: text.prefix(64), as: UTF8.self) })
    _ = waits.target(of: place)
    if let status = ThreadStatus(parsing: text) {
      for signal in CInt(-1)...66 { _ = status.isBlocked(signal) }
      // The same bytes once more, without the status in front.
      let digits = text.drop { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      _ = ThreadTimes(parsing: Array(digits), status: status)
    }
  }
}
