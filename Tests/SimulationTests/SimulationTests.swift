import SimulationPrograms
import Testing

/// Random programs on the loop and on a model of the rules: what is called, when, and what is answered are the same.
@Suite struct SimulationTests {
  private let comparison = Comparison("the loop", "the model") { program in
    (
      Player(program, on: LoopWorld(tokenCount: program.tokenCount)).play(),
      Player(program, on: Model()).play()
    )
  }

  private func difference(of seed: UInt64) -> String? {
    comparison.difference(on: RandomProgram.program(of: seed))
  }

  /// `MAINSPRING_SEED=n` shows one program and both logs.
  @Test(.enabled(if: Share.chosenSeed != nil)) func `a chosen program`() {
    print(comparison.description(of: RandomProgram.program(of: Share.chosenSeed!)))
  }

  @Test(arguments: Share.shares(of: 10_000, long: 1_000_000))
  func `random programs do on the loop what they do on the model`(share: Share) {
    if let difference = share.firstDifference(difference) { Issue.record("\(difference)") }
  }

  /// Seeds that found a difference, since `RandomProgram` was last changed, and before there was work to be drawn.
  @Test(
    arguments: [
      15_672_019_731_726_523_987, 12_561_607_245_018_379_640, 12_561_607_245_018_278_674,
      12_561_607_245_018_530_342,
    ] as [UInt64])
  func `what was found stays mended`(seed: UInt64) {
    if let difference = comparison.difference(on: RandomProgram.program(of: seed, hasWork: false)) {
      Issue.record("\(difference)")
    }
  }
}
