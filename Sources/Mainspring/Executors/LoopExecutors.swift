import LinuxKernel

/// The executors of a loop, made when they are first asked for and kept as long as the loop. Any thread.
final class LoopExecutors: Sendable {
  /// Those of one mode.
  final class Pair: Sendable {
    let gate: JobGate
    let serial: RunLoop.ActorExecutor
    let task: RunLoop.PreferenceExecutor

    init(_ loop: RunLoop, in mode: RunLoop.Mode) {
      gate = JobGate(loop, in: mode)
      serial = RunLoop.ActorExecutor(gate)
      task = RunLoop.PreferenceExecutor(gate)
      gate.face(serial, task)
    }
  }

  /// Those of the common modes, which nearly everybody wants.
  let common: Pair
  private let others = Locked<[RunLoop.Mode: Pair]>([:])

  init(_ loop: RunLoop) { common = Pair(loop, in: .common) }

  func pair(_ loop: RunLoop, in mode: RunLoop.Mode) -> Pair {
    if mode == .common { return common }
    let pair = others.withLock { others in
      if let present = others[mode] { return present }
      let made = Pair(loop, in: mode)
      others[mode] = made
      return made
    }
    // Whoever looks first, this one or the thread that binds itself, sees what the other did.
    loop.tellThread(to: pair.gate)
    return pair
  }

  func forEachGate(_ body: (JobGate) -> Void) {
    body(common.gate)
    let gates = others.withLock { $0.values.map(\.gate) }
    for gate in gates { body(gate) }
  }
}
