import CommandLineOptions
import Testing

@Suite struct `Command line syntax` {
  static let threshold = Option(name: "threshold", value: "DURATION", help: "")
  static let json = Option(flag: "json", help: "")
  static let syntax = Syntax(options: [threshold, json], operandsMax: 2)

  @Test(
    arguments: [
      (["--threshold=2s"], "2s", false, []),
      (["--threshold", "2s", "--json"], "2s", true, []),
      (["--threshold=a=b"], "a=b", false, []),
      (["--threshold=--json"], "--json", false, []),
      (["--threshold", "-2s"], "-2s", false, []),
      (["a", "--json", "-"], nil, true, ["a", "-"]),
      (["--", "--json", "--"], nil, false, ["--json", "--"]),
      ([], nil, false, []),
    ] as [([String], String?, Bool, [String])])
  func `options and operands are told apart`(
    line: [String], threshold: String?, json: Bool, operands: [String]
  ) throws {
    let parsed = try Self.syntax.parse(line)
    #expect(try parsed.value(of: Self.threshold, as: String.self) == threshold)
    #expect(parsed.contains(Self.json) == json)
    #expect(parsed.operands == operands)
  }

  @Test(arguments: [
    (["--thresold=2s"], "unknown option '--thresold'; did you mean --threshold?"),
    (["-h"], "unknown option '-h'; did you mean --help?"),
    (["--quite"], "unknown option '--quite'; --help lists what there is"),
    (["--Json"], "unknown option '--Json'; did you mean --json?"),
    (["--="], "unknown option '--'; --help lists what there is"),
    (["--threshold"], "--threshold: the value is missing; write --threshold=DURATION"),
    (["--threshold", "--json"], "--threshold: the value is missing; write --threshold=DURATION"),
    (["--json=yes"], "--json takes no value; write --json"),
    (["--json", "--json"], "--json is given twice; give it once"),
    (["a", "b", "c"], "unexpected argument 'c'; --help lists what there is"),
    (["--a\nb\u{1B}"], "unknown option '--a\u{FFFD}b\u{FFFD}'; --help lists what there is"),
  ])
  func `what is wrong is named in one line, with what would be right`(line: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Self.syntax.parse(line) }
    #expect(error?.description == message)
  }

  @Test func `values are checked when they are read, and named by their option`() throws {
    let size = Option(name: "size", value: "PIXELS", help: "")
    let syntax = Syntax(options: [Self.threshold, size])
    func message(_ line: String...) -> String? {
      do {
        let parsed = try syntax.parse(line)
        _ = try parsed.value(of: Self.threshold, as: DurationArgument.self)
        _ = try parsed.integer(of: size, in: 16...4096)
        return nil
      } catch { return error.description }
    }
    #expect(message("--threshold=250ms", "--size=256") == nil)
    #expect(message("--threshold=250") == "--threshold: '250' has no unit; write 250ms or 2s")
    #expect(message("--size=2") == "--size: '2' is not a whole number from 16 to 4096")
    #expect(message("--size=99999999999999999999") != nil)
    #expect(message("--size=x") == "--size: 'x' is not a whole number from 16 to 4096")
    #expect(message("--size=") == "--size: '' is not a whole number from 16 to 4096")
  }

  @Test func `an option declared twice is a programming error`() async {
    await #expect(processExitsWith: .failure) {
      _ = Syntax(options: [.help, Option(flag: "help", help: "other")])
    }
  }
}
