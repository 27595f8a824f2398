import CommandLineOptions
import Testing

@testable import Thumbs

@Suite struct Requests {
  @Test func `without options the defaults hold`() throws {
    #expect(try Request([]) == .makeThumbnails(Request.Settings()))
    #expect(Request.Settings().threshold == .milliseconds(250))
  }

  @Test func `every option is taken`() throws {
    var settings = Request.Settings()
    settings.pictures = "/p"
    settings.output = "o"
    settings.threshold = .milliseconds(1500)
    settings.side = 64
    settings.isJSON = true
    settings.isPlain = true
    let line = ["--pictures=/p", "--output", "o", "--threshold=1.5s", "--size", "64", "--json", "--no-color"]
    #expect(try Request(line) == .makeThumbnails(settings))
  }

  @Test func `help fits eighty columns and the version is told`() throws {
    guard case .show(let help) = try Request(["--help"]) else { throw UsageError.missingOperand("help") }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try Request(["--version"]) == .show("Thumbs 0.1.0\n"))
  }

  @Test(arguments: [
    (["--size=8"], "--size: '8' is not a whole number from 16 to 2048"),
    (["--threshold=fast"], "--threshold: 'fast' is not a span of time; write 250ms or 2s"),
    (["--output="], "--output: the value is empty"),
    (["--picture=x"], "unknown option '--picture'; did you mean --pictures?"),
    (["x"], "unexpected argument 'x'; --help lists what there is"),
    (["--help", "--size=x"], "--size: 'x' is not a whole number from 16 to 2048"),
  ])
  func `a wrong line is refused with one line`(line: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Request(line) }
    #expect(error?.description == message)
  }
}
