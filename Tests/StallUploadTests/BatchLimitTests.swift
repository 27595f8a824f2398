import Testing

@testable import StallUpload

@Suite struct BatchLimitTests {
  @Test func `the first always fits, the others as far as count and bytes go`() {
    let limit = BatchLimit(count: 3, bytes: 100)
    #expect(limit.admits(bytes: 1000, after: (0, 0)))
    #expect(limit.admits(bytes: 40, after: (2, 60)))
    #expect(!limit.admits(bytes: 41, after: (2, 60)))
    #expect(!limit.admits(bytes: 1, after: (3, 3)))
  }

  @Test func `what is too much is halved down to one, and doubled again when it goes`() {
    var limit = BatchLimit(count: 50, bytes: 100)
    var sizes: [Int] = []
    for _ in 0..<7 {
      limit.shrink(from: limit.count)
      sizes.append(limit.count)
    }
    #expect(sizes == [25, 12, 6, 3, 1, 1, 1])
    for _ in 0..<7 { limit.grow() }
    #expect(limit.count == 50)
  }
}
