import Testing

@testable import StallUpload

@Suite struct UploadAnswerTests {
  @Test(arguments: [200, 201, 202, 204, 299])
  func `what is between 200 and 299 is taken`(status: Int) {
    #expect(UploadAnswer(status: status) == .accepted)
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 599])
  func `what will pass is tried again, when the server says`(status: Int) {
    #expect(
      UploadAnswer(status: status, retryAfter: .seconds(7))
        == .later(after: .seconds(7), reason: "status \(status)"))
  }

  @Test(arguments: [301, 302, 307, 308, 401, 403, 404, 405, 410, 407])
  func `what somebody has to mend loses no report`(status: Int) {
    guard case .unwelcome(let reason) = UploadAnswer(status: status) else {
      Issue.record("\(status) is \(UploadAnswer(status: status))")
      return
    }
    #expect(reason.hasPrefix("status \(status): "))
  }

  @Test func `a report that is too large or wrong is told from a server that is`() {
    #expect(UploadAnswer(status: 413) == .tooLarge)
    for status in [400, 415, 422] {
      #expect(UploadAnswer(status: status) == .refused(reason: "status \(status)"))
    }
  }

  @Test func `where no answer came, what went wrong on the way is the reason`() {
    #expect(
      UploadAnswer(status: 0, problem: "Couldn't connect to server")
        == .later(after: nil, reason: "Couldn't connect to server"))
  }
}
