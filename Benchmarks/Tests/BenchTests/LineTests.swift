import Testing

@testable import Bench

@Suite struct `Lines` {
  @Test func `the fourth word is the first figure, and pairs are figures by their keys`() throws {
    let line = try Line("libuv w1 500 57701.1 17331 cpu_ns=53886.0 rd=2.000 version=1.44.2 best=39866.0")
    guard case .figures(let figures) = line else { return #expect(Bool(false), "\(line)") }
    #expect(figures.numbers == ["ns": 57701.1, "cpu_ns": 53886, "rd": 2, "best": 39866])
    #expect(figures.texts == ["version": "1.44.2"])
  }
}
