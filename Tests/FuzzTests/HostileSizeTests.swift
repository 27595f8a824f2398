import Foundation
import FuzzedParsers
import Testing

@testable import Symbols

/// Small files that ask for much: none may take time or memory out of proportion to its size.
///
/// Each asks for minutes, or for gigabytes, where the limit is missing that it is about.
@Suite(.timeLimit(.minutes(1))) struct HostileSizeTests {
  /// The header of a unit of DWARF 4, and its entries.
  private static func unit(abbreviationsAt offset: Int, _ entries: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(7 + entries.count))
    bytes.append(littleEndian: UInt16(4))
    bytes.append(littleEndian: UInt32(offset))
    return bytes + [8] + entries
  }

  private static func file(_ sections: [(String, [UInt8])]) throws -> ElfFile {
    var image = ElfImage()
    for (name, bytes) in sections { image.add(name, bytes) }
    return try ElfFile(image: image.bytes)
  }

  @Test func `a thousand sections may have one long name`() throws {
    var image = ElfImage()
    image.add(String(repeating: "n", count: 8 << 20), [])
    for _ in 0..<16_000 { image.add(nameAt: 1) }
    #expect(try !ElfFile(image: image.bytes).hasDebugInfo)
  }

  @Test func `tables of abbreviations may overlap`() throws {
    let shape: [UInt8] = [1, 0x11, 0] + Array(repeating: [3, 0x0b], count: 100).joined() + [0, 0]
    let abbreviations = [UInt8](Array(repeating: shape, count: 600).joined())
    // Each unit's table begins with the shape after that of the one before, and goes on to the end.
    let units = (0..<12_000).flatMap {
      Self.unit(abbreviationsAt: $0 % 600 * shape.count + $0 / 600 * 2, [1])
    }
    let info = try #require(
      DebugInfo(try Self.file([(".debug_abbrev", abbreviations), (".debug_info", units)])))
    #expect(info.abbreviationByteCount <= 3 * UInt64(abbreviations.count))
    #expect(info.frames(at: 0x1000) == [])
  }

  @Test func `entries may take no bytes for many attributes`() throws {
    // A unit with children, and a function of 60,000 flags that are merely present.
    let flags = Array(repeating: [0x3f, 0x19] as [UInt8], count: 60_000).joined()
    let abbreviations: [UInt8] = [1, 0x11, 1, 0x11, 0x01, 0x12, 0x07, 0, 0, 2, 0x2e, 0] + flags + [0, 0, 0]
    var root: [UInt8] = [1]
    root.append(littleEndian: UInt64(0x1000))
    root.append(littleEndian: UInt64(0x100))
    let unit = Self.unit(abbreviationsAt: 0, root + [UInt8](repeating: 2, count: 200_000))
    let info = DebugInfo(try Self.file([(".debug_abbrev", abbreviations), (".debug_info", unit)]))
    #expect(info?.frames(at: 0x1000).count == 1)
  }

  @Test func `units may share one long list of ranges`() throws {
    // Nothing but new bases: the list is long and holds no range.
    var entry = [UInt8](repeating: 0xff, count: 8)
    entry.append(littleEndian: UInt64(0x1000))
    let list = [UInt8](Array(repeating: entry, count: 100_000).joined())
    let units = (0..<10_000).flatMap { _ in Self.unit(abbreviationsAt: 0, [1, 0, 0, 0, 0]) }
    let abbreviations: [UInt8] = [1, 0x11, 0, 0x55, 0x17, 0, 0, 0]
    let sections = [(".debug_abbrev", abbreviations), (".debug_info", units), (".debug_ranges", list)]
    #expect(DebugInfo(try Self.file(sections))?.frames(at: 0x1000) == [])
  }

  @Test(arguments: [(32, true), (33, false)])
  func `the files of a line table have few fields`(fieldCount: UInt8, isRead: Bool) throws {
    // Version 5, of which only the first field is a name; the program is one sequence of one row.
    let fields = [1, 0x08] + Array(repeating: [5, 0x19] as [UInt8], count: Int(fieldCount) - 1).joined()
    let tables = [fieldCount] + fields + [1, 0x2f, 0] + [fieldCount] + fields + [2, 0x61, 0, 0x62, 0]
    let start: [UInt8] = [1, 1, 1, 0xfb, 14, 2, 0]
    var program: [UInt8] = [0, 9, 2]
    program.append(littleEndian: UInt64(0x1000))
    program += [1, 2, 0x20, 0, 1, 1]
    var table: [UInt8] = [5, 0, 8, 0]
    table.append(littleEndian: UInt32(start.count + tables.count))
    table += start + tables + program
    var lines: [UInt8] = []
    lines.append(littleEndian: UInt32(table.count))
    let abbreviations: [UInt8] = [1, 0x11, 0, 0x11, 0x01, 0x12, 0x07, 0x10, 0x17, 0, 0, 0]
    var root: [UInt8] = [1]
    root.append(littleEndian: UInt64(0x1000))
    root.append(littleEndian: UInt64(0x20))
    root.append(littleEndian: UInt32(0))
    let file = try Self.file([
      (".debug_abbrev", abbreviations), (".debug_info", Self.unit(abbreviationsAt: 0, root)),
      (".debug_line", lines + table),
    ])
    #expect(DebugInfo(file)?.frames(at: 0x1000).first?.path == (isRead ? "/b" : nil))
  }

  @Test(arguments: [(16 << 20, false), (64 << 20, true)])
  func `what is packed does not fill the memory`(promised: Int, isRefused: Bool) throws {
    // 200,000 bytes: for the larger promise, they would have to grow to the 300-fold.
    var packed: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    packed.append(littleEndian: UInt64(promised))
    packed.append(littleEndian: UInt64(1))
    packed += [0x78, 0x9c] + [UInt8](repeating: 0, count: 200_000)
    var image = ElfImage()
    image.add(".debug_info", packed, isPacked: true)
    #expect(try ElfFile(image: image.bytes).hasUnreadableDebugInfo == isRefused)
  }

  @Test(arguments: [(60_000, true), (70_000, false)])
  func `the rules of a function end`(instructionCount: Int, isRead: Bool) {
    var reader = ByteReader([UInt8](repeating: 0, count: instructionCount))
    var rules = CallFrameRules()
    let program = CallFrameProgram(
      codeAlignment: 1, dataAlignment: 1, encoding: PointerEncoding(0), low: 0, target: .max)
    let wasRead = (try? program.run(&reader, from: 0, initial: nil, rules: &rules)) != nil
    #expect(wasRead == isRead)
  }

  @Test func `frames that lie here and there do not have a stack read again and again`() {
    let memory = PieceMemory([(0x10_0000, [UInt8](repeating: 1, count: 1 << 20))])
    let stack = StackCopy(
      low: 0x1000, bytes: [0], isTruncated: true, rest: StackRest(memory: memory))
    for round in 0..<5000 as Range<UInt64> { _ = stack.word(at: 0x10_0000 + round % 2 << 18) }
    #expect(memory.readCount < 2000)
  }

  /// The text of a report with these frames, stacks and samples, and what has to be.
  private static func report(frames: String, stacks: String, samples: String) -> [UInt8] {
    let head =
      #"{"schema":"stall-report/1","report_id":"00000000000000010000000000000002","kind":"stall","state":"ongoing","#
      + #""app":{"name":"a"},"process":{"pid":7},"loop":{"id":1,"name":"m","kind":"nio","thread":{"tid":7},"nesting":1},"#
      + #""phase":{"name":"timer"},"time":{"start_unix_ns":"5","start_mono_ns":"5","threshold_ms":1,"duration_ms":300},"#
      + #""monitor":{"version":"1"},"frames":["#
    return Array((head + frames + #"],"stacks":["# + stacks + #"],"samples":["# + samples + "]}").utf8)
  }

  @Test func `samples of a report may share one long stack of long names`() {
    let sample = #"{"t_ms":1,"stack":0,"weight_ms":1,"how":"scan"}"#
    // Each suffix can be taken off, once for every time that the name is looked at.
    let name = "f" + String(repeating: ".cold", count: 1600)
    let samples = Array(repeating: sample, count: 500).joined(separator: ",")
    FuzzedParser.json.read(
      Self.report(frames: #"{"id":"f","sym":"\#(name)"}"#, stacks: #"["f"]"#, samples: samples))
    let deep = Array(repeating: #""f""#, count: 1024).joined(separator: ",")
    let few = Array(repeating: sample, count: 100).joined(separator: ",")
    FuzzedParser.json.read(
      Self.report(frames: #"{"id":"f","sym":"x.cold"}"#, stacks: "[\(deep)]", samples: few))
  }

  @Test func `names that nest without end are left alone`() {
    var demangler = Demangler()
    // A type in a type in a type: longer than what is taken apart, and as long.
    let endless = "$s1a" + String(repeating: "1bV", count: 200_000)
    #expect(demangler.name(for: endless) == endless)
    let longest = "$s1a" + String(repeating: "1bV", count: 1364)
    // As much stack as the thread has that names are taken apart on.
    onThread(stackByteCount: 4 << 20) {
      var demangler = Demangler()
      _ = demangler.name(for: longest)
    }
  }

  private func onThread(stackByteCount: Int, _ body: @escaping @Sendable () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      ended.signal()
    }
    thread.stackSize = stackByteCount
    thread.start()
    ended.wait()
  }

  @Test func `frames that call each other are not followed`() {
    // The second half of the stack says that the caller lies in the first, and the first that it lies in the second.
    FuzzedParser.async.read([UInt8]([0, 0, 16, 0]) + Self.round)
  }

  private static let round: [UInt8] = {
    var bytes: [UInt8] = []
    for word in [0, 0, 0x7000_0040, 0x12010, 0, 0, 0, 0, 0x7000_0010, 0x12020] as [UInt64] {
      bytes.append(littleEndian: word)
    }
    return bytes
  }()
}
