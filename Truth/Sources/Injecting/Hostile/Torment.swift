import CHostility
import Glibc
import Grid
import TruthLog

/// The hostilities of one cell, from its first injection to its last.
final class Torment {
  private let hostilities: [Hostility]
  private let stage: any Stage
  private var hogs: [HelperProcess] = []
  private var stopper: HelperProcess?
  private var sideThreads: [SideThread] = []
  /// What the helper is told as an injection begins.
  private var command: ((_ length: UInt64) -> String)?
  private var hasAsked = false

  init(_ hostilities: [Hostility], on stage: any Stage) {
    self.hostilities = hostilities
    self.stage = stage
  }

  func begin() {
    for hostility in hostilities { begin(hostility) }
  }

  func end() {
    for thread in sideThreads { thread.requestEnd() }
    for thread in sideThreads { thread.waitForEnd() }
    for hog in hogs { hog.end() }
    stopper?.end()
    (sideThreads, hogs, stopper, command) = ([], [], nil, nil)
  }

  private func begin(_ hostility: Hostility) {
    switch hostility {
    case .hogs(let count): hogs = (0..<count).map { _ in HelperProcess("hog") }
    case .stop(let time): strike { _ in "stop \(time)\n" }
    case .trace(let time): strike { _ in "trace \(time)\n" }
    case .throttle(let run, let stop):
      strike { length in "train \(run) \(stop) \(max(1, length / (run + stop) + 1))\n" }
    case .fork:
      sideThreads.append(
        SideThread("forker", every: 3_000_000) { fork_once() })
    case .signals(let restarts):
      count_signals(SIGUSR1, restarts ? 1 : 0)
      guard let target = stage.thread else {
        preconditionFailure("\(stage.name) has no thread of its own to be sent signals")
      }
      sideThreads.append(
        SideThread("signaller", every: 500_000) { pthread_kill(target, SIGUSR1) })
    case .threads:
      sideThreads.append(
        SideThread("breeder", every: 2_000_000) {
          let hasRun = Semaphore()
          startThread(named: "mayfly") { hasRun.post() }
          hasRun.wait()
        })
    case .crowd(let count):
      sideThreads += (0..<count).map { SideThread("crowd-\($0)", every: 50_000_000) {} }
    case .libraries:
      sideThreads.append(SideThread("loader", every: 1_000_000) { loadLibrary() })
    case .exceptions:
      sideThreads.append(SideThread("thrower", every: 500_000) { throwing() })
      sideThreads.append(SideThread("thrower-2", every: 700_000) { throwing() })
    case .allocations:
      sideThreads.append(SideThread("allocator", every: 0) { _ = stormMalloc(1_000_000) })
    }
  }

  private func strike(_ command: @escaping (UInt64) -> String) {
    stopper = HelperProcess("stopper")
    self.command = command
  }

  /// Has the helper strike as the injection begins.
  func prepare(_ injection: Injection) {
    hasAsked = false
    guard let command, let stopper else { return }
    let (text, commands) = (Array(command(injection.length).utf8), stopper.commands)
    hasAsked = true
    injection.onBegin = { _ = write(commands, text, text.count) }
  }

  /// When the process was stopped for the injection that is over.
  func stops() -> [Interval] {
    guard hasAsked, let stopper else { return [] }
    return stopper.answer()
  }
}

/// A thread that does one thing over and over until it is told to end.
private final class SideThread: @unchecked Sendable {
  // Sendable: semaphores only.
  private let isOver = Flag()
  private let hasEnded = Semaphore()

  init(_ name: String, every interval: UInt64, _ act: @escaping @Sendable () -> Void) {
    startThread(named: name) { [isOver, hasEnded] in
      while !isOver.isSet {
        act()
        if interval > 0 { Clock.rest(interval) }
      }
      hasEnded.post()
    }
  }

  func requestEnd() { isOver.set() }
  func waitForEnd() { hasEnded.wait() }
}

private func loadLibrary() {
  for name in ["libutil.so.1", "libresolv.so.2", "libanl.so.1", "libnss_files.so.2"] {
    if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) { dlclose(library) }
  }
}

private struct Thrown: Error {}

@inline(never)
private func dive(_ depth: Int) throws {
  if depth == 0 { throw Thrown() }
  try dive(depth - 1)
}

private func throwing() {
  for depth in [1, 10, 40] {
    _ = throw_through(CInt(depth))
    try? dive(depth)
  }
}
