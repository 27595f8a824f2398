import MainspringTesting
import Foundation
import Symbols
import Testing

/// The same questions to us and to LLVM's symbolizer, about this very test program.
@Suite struct SymbolizerAgreementTests {
  private struct Answer: Decodable {
    struct Symbol: Decodable {
      let functionName: String
      let fileName: String
      let line: Int
      let column: Int
      enum CodingKeys: String, CodingKey {
        case functionName = "FunctionName"
        case fileName = "FileName"
        case line = "Line"
        case column = "Column"
      }
    }
    let symbol: [Symbol]?
    enum CodingKeys: String, CodingKey { case symbol = "Symbol" }
  }

  private static let symbolizer = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { $0 + "/llvm-symbolizer" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The program that this test is part of.
  private func ownModule() throws -> Module {
    let here = UInt64(UInt(bitPattern: #dsohandle))
    return try #require(try ModuleMapFile().current().modules.last { $0.base <= here })
  }

  private func ask(_ symbolizer: String, _ path: String, _ addresses: [UInt64]) throws -> [Answer] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: symbolizer)
    process.arguments = ["--obj=\(path)", "--output-style=JSON", "--no-demangle", "--inlines"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // All at once: fewer bytes than a pipe holds.
    let questions = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
    try input.fileHandleForWriting.write(contentsOf: Data(questions.utf8))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try text.split(separator: UInt8(ascii: "\n"))
      .map { try JSONDecoder().decode(Answer.self, from: $0) }
  }

  @Test func `names, files, lines and inlined chains agree with llvm-symbolizer`() throws {
    let module = try ownModule()
    try expectAgreement(about: module, range: module.text)
  }

  /// Distributions pack the sections of their debug files.
  @Test func `a separate debug file of the system's library agrees, too`() throws {
    let libc = try #require(try ModuleMapFile().current().modules.first { $0.path.contains("/libc.so") })
    let file = try ElfFile(path: libc.path)
    let search = DebugFileSearch(root: "/usr/lib/debug")
    guard search.debugFile(for: file, path: libc.path) != nil else {
      print("no debug file for \(libc.path): nothing to agree about")
      return
    }
    try expectAgreement(about: libc, range: libc.text, hasAliases: true)
  }

  /// - Parameter hasAliases: whether functions have several names, of which another may be given.
  private func expectAgreement(
    about module: Module, range: Range<UInt64>, hasAliases: Bool = false
  ) throws {
    guard let symbolizer = Self.symbolizer else {
      print("llvm-symbolizer is not in PATH: nothing to agree with")
      return
    }
    let file = try ElfFile(path: module.path)
    let object = ObjectSymbols(file, path: module.path, debugRoot: "/usr/lib/debug")
    let seed = UInt64.random(in: 0...UInt64.max)
    print("llvm-symbolizer: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let offsets = (0..<400).map { _ in
      UInt64.random(in: range, using: &random) - module.base
    }
    let answers = try ask(symbolizer, module.path, offsets.map { $0 + file.baseAddress })
    #expect(answers.count == offsets.count)
    var (compared, inlined) = (0, 0)
    for (offset, answer) in zip(offsets, answers) {
      let ours = object.frames(atOffset: offset)
      // Without debug information, LLVM answers with the name of an object file and any symbol near.
      guard let theirs = answer.symbol, theirs.contains(where: { $0.fileName.contains("/") }) else {
        continue
      }
      // A sanitizer's functions have several names each.
      if theirs.contains(where: { $0.fileName.contains("/compiler-rt/") }) { continue }
      #expect(ours.count == theirs.count)
      for (our, their) in zip(ours, theirs) {
        let place = "offset \(String(offset, radix: 16)), seed \(seed)"
        // Where the code has no line, we give one that is near.
        if !(our.isNearestLine && their.line == 0) {
          let left = "\(our.path ?? ""):\(our.line):\(our.column)"
          #expect(left == "\(their.fileName):\(their.line):\(their.column)", "\(place)")
        }
        if our.isInlined || !hasAliases { #expect(our.name ?? "" == their.functionName, "\(place)") }
      }
      compared += 1
      if ours.count > 1 { inlined += 1 }
    }
    print("llvm-symbolizer: \(compared) addresses compared, \(inlined) of them inlined")
    #expect(compared > 100)
  }
}
