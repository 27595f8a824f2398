import Foundation
import Testing

@testable import Symbols

/// Programs whose debug information lies in another file, or is packed.
@Suite struct SeparateDebugFileTests {
  private static let offset: UInt64 = 0x190

  /// A folder of its own, which is gone afterwards.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// The program as a linker or `strip` leaves it behind: without debug information and symbols.
  private func stripped(_ program: SmallProgram = .version5) -> [UInt8] {
    var image = program.image
    image.replace(".debug_info\0", with: ".nebug_info\0")
    image.replace(".symtab\0", with: ".nymtab\0")
    return image
  }

  /// The same with the name of its debug file.
  private func linked(to name: String) throws -> [UInt8] {
    let lists = try #require(
      try ElfFile(image: SmallProgram.version5.image).contents(ofSection: ".debug_rnglists"))
    var image = stripped()
    image.replace(lists.all, with: Array("\(name)\0".utf8))
    image.replace(".debug_rnglists\0", with: ".gnu_debuglink\0")
    return image
  }

  private func names(_ path: String, root: String) throws -> [String?] {
    ObjectSymbols(try ElfFile(path: path), path: path, debugRoot: root).frames(atOffset: Self.offset).map(
      \.name)
  }

  private static let whole: [String?] = ["innermost", "middle", "outer"]

  @Test func `without its debug file, a stripped program has no names`() throws {
    try inFolder { folder in
      try write(stripped(), to: folder + "/bin/small")
      #expect(try names(folder + "/bin/small", root: folder + "/debug").allSatisfy { $0 == nil })
      try write(SmallProgram.version5.image, to: folder + "/bin/whole")
      #expect(try names(folder + "/bin/whole", root: folder + "/debug") == Self.whole)
    }
  }

  @Test(arguments: [SmallProgram.version5, .version5Packed])
  func `the folder of build identifiers`(program: SmallProgram) throws {
    try inFolder { folder in
      try write(stripped(), to: folder + "/bin/small")
      let identifier = try #require(try ElfFile(image: program.image).buildID).description
      let path = "/debug/.build-id/\(identifier.prefix(2))/\(identifier.dropFirst(2)).debug"
      try write(program.image, to: folder + path)
      #expect(try names(folder + "/bin/small", root: folder + "/debug") == Self.whole)
    }
  }

  @Test(arguments: ["/bin/s.debug", "/bin/.debug/s.debug", "root"])
  func `the name that the program gives`(place: String) throws {
    try inFolder { folder in
      try write(try linked(to: "s.debug"), to: folder + "/bin/small")
      #expect(try names(folder + "/bin/small", root: folder + "/debug").allSatisfy { $0 == nil })
      let path = place == "root" ? "\(folder)/debug\(folder)/bin/s.debug" : folder + place
      try write(SmallProgram.version5.image, to: path)
      #expect(try names(folder + "/bin/small", root: folder + "/debug") == Self.whole)
    }
  }

  @Test func `a debug file of another build is not believed`() throws {
    try inFolder { folder in
      try write(try linked(to: "s.debug"), to: folder + "/bin/small")
      let identifier = try #require(try ElfFile(image: SmallProgram.version5.image).buildID)
      var other = SmallProgram.version5.image
      other.replace(identifier.bytes, with: [1, 2, 3])
      try write(other, to: folder + "/bin/s.debug")
      #expect(try names(folder + "/bin/small", root: folder + "/debug").allSatisfy { $0 == nil })
    }
  }

  @Test func `debug information that is packed by zstd is said to be unread, and symbols name the functions`()
    throws
  {
    try inFolder { folder in
      try write(packedByZstd(SmallProgram.version5Packed.image), to: folder + "/small")
      let file = try ElfFile(path: folder + "/small")
      let object = ObjectSymbols(file, path: folder + "/small", debugRoot: folder)
      #expect(object.lacksReadableDebugInfo)
      let frames = object.frames(atOffset: Self.offset)
      #expect(frames.map(\.name) == ["outer"])
      #expect(frames.first?.path == nil)
    }
    let readable = ObjectSymbols(
      try ElfFile(image: SmallProgram.version5Packed.image), path: "/none", debugRoot: "/none")
    #expect(!readable.lacksReadableDebugInfo)
  }

  /// The headers of packed sections, changed to name zstd.
  private func packedByZstd(_ image: [UInt8]) throws -> [UInt8] {
    var image = image
    let start = Int(try #require(image.integer(at: 40) as UInt64?))
    let count = Int(try #require(image.integer(at: 60) as UInt16?))
    for header in (0..<count).map({ start + $0 * ElfSection.headerByteCount }) {
      let flags: UInt64 = try #require(image.integer(at: header + 8))
      let offset: UInt64 = try #require(image.integer(at: header + 24))
      if flags & 0x800 != 0 { image[Int(offset)] = 2 }
    }
    return image
  }
}

extension [UInt8] {
  /// Puts other bytes at the first place where these are.
  fileprivate mutating func replace(_ old: [UInt8], with new: [UInt8]) {
    guard let place = firstRange(of: old) else { preconditionFailure("\(old) is not there") }
    replaceSubrange(place.lowerBound..<place.lowerBound + new.count, with: new)
  }

  fileprivate mutating func replace(_ old: String, with new: String) {
    replace(Array(old.utf8), with: Array(new.utf8))
  }
}
