import MainspringTesting
import Foundation
import FuzzedParsers
import Testing

/// What the fuzzers are given, without a fuzzer: every input of the corpus, and many that are a few changes away.
@Suite struct FuzzTests {
  /// Mutations of all inputs of one parser together: fewer where one takes long.
  private static func mutationCount(of parser: FuzzedParser) -> Int {
    switch parser {
    case .elf, .dwarf, .image: 400
    case .report: 150
    case .json: 1000
    default: 3000
    }
  }

  /// The folder of this package that holds one folder of inputs for each parser.
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fuzz/Corpus").standardizedFileURL

  private static func inputs(of parser: FuzzedParser) throws -> [[UInt8]] {
    let folder = corpus.appending(path: parser.rawValue)
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path() < $1.path() }.map { [UInt8](try Data(contentsOf: $0)) }
  }

  @Test(.timeLimit(.minutes(2)), arguments: FuzzedParser.allCases)
  func `every input of the corpus is read`(parser: FuzzedParser) throws {
    let inputs = try Self.inputs(of: parser)
    #expect(!inputs.isEmpty)
    for input in inputs { parser.read(input) }
  }

  @Test(.timeLimit(.minutes(2)), arguments: FuzzedParser.allCases)
  func `no change of an input traps`(parser: FuzzedParser) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("\(parser): seed \(seed)")
    var random = SeededRandom(seed: seed)
    let inputs = try Self.inputs(of: parser)
    for _ in 0..<Self.mutationCount(of: parser) {
      var bytes = try #require(inputs.randomElement(using: &random))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        Mutation.allCases.randomElement(using: &random)?.apply(to: &bytes, using: &random)
      }
      parser.read(bytes)
    }
  }
}
