import StallUpload
import Testing

@Suite struct ConfigurationTests {
  private typealias Failure = StallUpload.ConfigurationError

  @Test(arguments: ["http://127.0.0.1:8080/api/reports", "https://stalls.example", "http://[::1]:1/x"])
  func `addresses of HTTP are taken`(address: String) throws {
    _ = try StallUpload(StallUpload.Configuration(address: address, token: "abc"))
  }

  @Test(arguments: [
    "", "stalls.example/x", "ftp://stalls.example/x", "file:///etc/passwd", "http://", "https://a b/",
  ])
  func `others are refused by name`(address: String) throws {
    let failure = #expect(throws: Failure.self) {
      _ = try StallUpload(StallUpload.Configuration(address: address))
    }
    guard case .address(let named, let reason) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(named == address)
    #expect(!reason.isEmpty)
  }

  @Test func `a user in the address is refused, and not repeated`() {
    let failure = #expect(throws: Failure.self) {
      _ = try StallUpload(StallUpload.Configuration(address: "https://me:secret@stalls.example/"))
    }
    #expect(failure.map { "\($0)" }?.contains("secret") == false)
  }

  @Test(arguments: ["", "a b", "a\r\nX-Other: 1", "ü"])
  func `a token that cannot stand in a header is refused`(token: String) {
    #expect(throws: Failure.token) {
      _ = try StallUpload(StallUpload.Configuration(address: "https://stalls.example", token: token))
    }
  }

  @Test func `spans and sizes of nothing are refused`() {
    func check(_ change: (inout StallUpload.Configuration) -> Void) {
      var configuration = StallUpload.Configuration(address: "https://stalls.example")
      change(&configuration)
      #expect(throws: Failure.self) { _ = try StallUpload(configuration) }
    }
    check { $0.interval = .zero }
    check { $0.batchCountMax = 0 }
    check { $0.batchBytesMax = -1 }
    check { $0.connectTimeout = .zero }
    check { $0.timeout = .seconds(-1) }
  }
}
