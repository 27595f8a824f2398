import SimulationPrograms
import Testing

/// Random programs on a loop that alone holds their items, and in which the ends of what handlers, blocks and messages
/// hold do more: run the loop, say. To be run with the address sanitizer, too.
@Suite struct HolderTests {
  private static func play(_ program: Program) -> (log: [Line], isWhole: Bool) {
    let world = LoopWorld(tokenCount: program.tokenCount, holder: .loop)
    let log = Player(program, on: world).play()
    return (log, world.isDeserted)
  }

  private static func difference(of seed: UInt64) -> String? {
    let program = RandomProgram.program(of: seed)
    if play(program).isWhole { return nil }
    return "something stays: \(program.shrunk { !play($0).isWhole })"
  }

  @Test(arguments: Share.shares(of: 8_000, long: 800_000))
  func `M38: what only the loop holds lives as long as the loop needs it, and no longer`(share: Share) {
    if let difference = share.firstDifference(Self.difference) { Issue.record("\(difference)") }
  }

  /// `MAINSPRING_SEED=n` shows one.
  @Test(.enabled(if: Share.chosenSeed != nil)) func `a chosen program on a loop that holds its items`() {
    let program = RandomProgram.program(of: Share.chosenSeed!)
    print(program)
    for line in Self.play(program).log { print(line) }
  }
}
