import CProcess
import Glibc

/// A process that forks while its loop has work, and a child that touches the loop.
struct ForkShared: SharedScenario {
  let name = "fork-shared"
  let title = "a child of fork runs the loop, or moves its timer: the parent's fires in 650 ms, of 4"
  let rules = Rules(46)

  /// What the child does.
  private enum Child: String, CaseIterable {
    case runs, moves
  }

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    for child in Child.allCases {
      let loop = Loop.current
      let mode = Loop.mode(child.rawValue)
      let (fires, blockDelay) = (Shared(0), Shared<Double?>(nil))
      let timer = loop.addTimer(after: .milliseconds(300), every: .milliseconds(100), to: mode) { _ in
        fires.change { $0 += 1 }
      }
      // So that the loop waits by the kernel's set of descriptors, which a child inherits.
      loop.addReadable(process_eventfd(), to: mode) {}
      loop.run(in: mode, for: .zero)
      let process = process_fork()
      if process == 0 {
        Self.act(child, timer: timer, on: Loop.self, in: mode)
        _exit(0)
      }
      onAnotherThread {
        pause(.milliseconds(150))
        let watch = Stopwatch()
        loop.perform(in: mode) { blockDelay.value = watch.milliseconds }
        loop.wakeUp()
      }
      loop.run(in: mode, for: .milliseconds(650))
      timer.invalidate()
      notes.note("\(child)_fires", fires.value)
      notes.note("\(child)_block_ms", blockDelay.value ?? .infinity)
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  /// In the child.
  private static func act<Loop: ComparedLoop>(
    _ child: Child, timer: Loop.Timer, on _: Loop.Type, in mode: Loop.Mode
  ) {
    switch child {
    case .runs: Loop.current.run(in: mode, for: .milliseconds(650))
    case .moves: timer.setFireDate(after: .seconds(5))
    }
    pause(.seconds(1))
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let runs = Int(try facts.number("runs_fires"))
    let moves = Int(try facts.number("moves_fires"))
    let delay = max(try facts.number("runs_block_ms"), try facts.number("moves_block_ms"))
    let block = delay.isFinite ? "a block for it came after \(milliseconds(delay))" : "a block never came"
    return Finding(
      "\(runs) if the child runs it, \(moves) if it moves the timer; \(block)",
      isRight: runs >= 4 && moves >= 4 && delay < 100)
  }
}
