import SimulationPrograms

/// A run on the model's stack.
final class ModelRun {
  let mode: Program.Mode
  let deadline: Int?
  /// One pass, and no sleep in it.
  let isSinglePass: Bool
  let returnsAfterSource: Bool
  let waitsWhenEmpty: Bool
  let passesOverStops: Bool
  /// Whether what it waits for has come.
  let isSignalled: () -> Bool

  var isStopped = false
  var hasHandledSource = false
  var stopsPassedOver = 0
  /// Something was left over: the next pass is busy.
  var leftWork = false
  var busyPasses = 0
  var busySince: Int?
  var lastLook: Int?

  init(_ run: Act.Run, at now: Int, isSignalled: @escaping () -> Bool) {
    mode = run.mode
    isSinglePass = run.limit.map { $0 <= 0 } ?? false
    deadline = isSinglePass ? nil : run.limit.map { now + $0 }
    (returnsAfterSource, waitsWhenEmpty, passesOverStops) =
      switch run.way {
      case .plain(let returnAfterSource, let waitsWhenEmpty): (returnAfterSource, waitsWhenEmpty, false)
      case .overStops(let waitsWhenEmpty): (false, waitsWhenEmpty, true)
      case .untilHandled: (false, false, false)
      case .untilToken: (false, true, false)
      }
    self.isSignalled = isSignalled
  }
}

/// What a pass has found and not served yet.
struct Round {
  var sources: [Item] = []
  /// With the number of its arming when it was found due: what was moved meanwhile has another.
  var timers: [(timer: Item, arming: Int)] = []
  var ready: [Found] = []

  /// A port or a descriptor source that a look found ready.
  struct Found {
    let item: Item
    var readiness: Program.Readiness = []
    /// By order number, ports before descriptors of the same one.
    var place: (Int, Int) { (item.order, item.isPort ? 0 : 1) }
  }
}

/// How long one kind of work may go on in a pass: with every 16th callout it is looked whether the run's deadline has
/// passed, or 4 ms have since the first such look. (The numbers of callouts that end it no program reaches.)
struct Turn {
  private var callouts = 0
  private var begin: Int?

  mutating func isOver(for run: ModelRun, at now: Int, readsClock: Bool) -> Bool {
    callouts += 1
    guard callouts == 1 || callouts > 16, run.deadline != nil || readsClock else { return false }
    guard let first = begin else {
      begin = now
      return false
    }
    return now >= run.deadline ?? .max || now - first >= 4
  }
}

struct ModelBlock {
  let number: Int
  let modes: [Program.Mode]
  let body: () -> Void
}
