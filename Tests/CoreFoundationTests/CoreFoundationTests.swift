import SimulationPrograms
import Testing

/// Random programs on the loop and on CFRunLoop, as far as the rules want the same of both.
@Suite struct CoreFoundationTests {
  private let comparison = Comparison("the loop", "CFRunLoop") { program in
    let loop = Player(program, on: LoopWorld(clock: .hidden), restraint: Agreement(program)).play()
      .map(\.withoutHandledSource)
    var other: [Line] = []
    // CFRunLoop's timers are the kernel's, and may come late once.
    for _ in 0..<3 {
      other = FreshThread.play(program, restraint: Agreement(program))
      if loop == other { break }
    }
    return (loop, other)
  }

  /// `MAINSPRING_SEED=n` shows one program of each theme and its logs.
  @Test(.enabled(if: Share.chosenSeed != nil), arguments: Theme.allCases)
  func `a chosen program`(theme: Theme) {
    print(comparison.description(of: AgreeingProgram.program(of: Share.chosenSeed!, theme)))
  }

  private func compare(_ theme: Theme, _ share: Share) {
    let difference = share.firstDifference {
      comparison.difference(on: AgreeingProgram.program(of: $0, theme))
    }
    if let difference { Issue.record("\(theme): \(difference)") }
  }

  private static let shares = Share.shares(of: 800, long: 40_000)

  @Test(arguments: shares)
  func `CF 12, 14, 15, 16, 18, 19, 75: runs, stops and nested runs are the same`(share: Share) {
    compare(.runs, share)
  }

  @Test(arguments: shares) func `CF 18, 36, 40: blocks are the same`(share: Share) { compare(.blocks, share) }

  @Test(arguments: shares)
  func `CF 25, 27, 43, 44, 45: version-0 sources are the same`(share: Share) { compare(.sources, share) }

  @Test(arguments: shares)
  func `CF 20, 25, 58, 59, 60, 61, 62: timers are the same`(share: Share) { compare(.timers, share) }

  @Test(arguments: shares)
  func `CF 31, 33, 34, 35: observers are the same`(share: Share) { compare(.observers, share) }

  @Test(arguments: shares) func `CF 77, 78: common modes are the same`(share: Share) {
    compare(.modes, share)
  }
}

extension Line {
  /// CFRunLoop does not say beside the reason whether a source was handled (M6).
  fileprivate var withoutHandledSource: Line {
    guard case .runEnded(var result) = event else { return self }
    result.handledSource = false
    return Line(time: time, depth: depth, event: .runEnded(result))
  }
}
