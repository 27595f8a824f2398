import Mainspring

extension LoopWorld {
  /// An item, held or only known.
  struct Held {
    var strongly: RunLoop.Item?
    private(set) weak var weakly: RunLoop.Item?

    init(_ item: RunLoop.Item) {
      strongly = item
      weakly = item
    }
  }

  func hold(_ item: RunLoop.Item) { items.append(Held(item)) }

  /// The item, if it is still there.
  func item<Kind: RunLoop.Item>(_ number: Int) -> Kind? { items[number].weakly.map { $0 as! Kind } }

  /// Whether nothing is left: no item, and no end that is to come.
  package var isDeserted: Bool { farewellsToCome == 0 && items.allSatisfy { $0.weakly == nil } }

  func run(untilHandled number: Int, in mode: RunLoop.Mode, for limit: Duration?) -> RunLoop.RunResult {
    guard let awaited = items[number].weakly else { return loop.run(in: mode, for: limit) }
    return loop.run(untilHandled: awaited, in: mode, for: limit)
  }

  /// What a closure or a message holds whose end is to be noticed; nil where ends do nothing.
  func farewell(by player: Player, block: Int) -> Farewell? {
    guard holder == .loop else { return nil }
    farewellsToCome += 1
    return Farewell { [self] in
      farewellsToCome -= 1
      // Elsewhere the loop cannot be run, and once it has ended nothing can be done to it.
      if !hasEnded, !isElsewhere { player.ended(block: block) }
    }
  }
}

/// Does something as it goes.
final class Farewell: @unchecked Sendable {
  // Sendable: as the world that makes it, used on the thread of its test.
  private let act: () -> Void
  init(_ act: @escaping () -> Void) { self.act = act }
  deinit { act() }
}

/// A message.
struct Letter: Sendable {
  let number: Int
  private let farewell: Farewell?

  init(_ number: Int, _ farewell: Farewell?) {
    self.number = number
    self.farewell = farewell
  }
}
