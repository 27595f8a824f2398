import Testing

@testable import Symbols

@Suite struct FrameListTests {
  private func frame(_ number: Int) -> UnwoundFrame {
    UnwoundFrame(programCounter: UInt64(number), kind: .returnAddress, origin: .unwindTable)
  }

  @Test(arguments: [4, 5, 8, 100, 128])
  func `of any number of frames, both ends are kept in order`(limit: Int) {
    for count in 1...(3 * limit) {
      for isDropped in [false, true] {
        var list = FrameList(frame(0), countMax: limit)
        for number in 0..<count where number > 0 { list.append(frame(number)) }
        let left = isDropped && count > 1 ? count - 1 : count
        if isDropped { list.removeLast() }
        #expect(list.count == left)
        let stack = list.stack(end: .base)
        let expected =
          left <= limit ? Array(0..<left) : Array(0..<limit - limit / 4) + Array(left - limit / 4..<left)
        #expect(stack.frames.map { Int($0.programCounter) } == expected, "\(count) frames, limit \(limit)")
        #expect(stack.omittedCount == left - expected.count)
        if left > limit { #expect(stack.omittedAfter == limit - limit / 4 - 1) }
      }
    }
  }
}
