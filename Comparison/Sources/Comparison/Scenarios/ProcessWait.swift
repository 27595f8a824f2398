import CProcess
import Workbench
import Foundation
import Glibc

import class Mainspring.RunLoop

/// A thread that waits for a process to end.
struct ProcessWait: Scenario {
  let name = "process-wait"
  let title = "wait on another thread for a process of 500 ms, and then one by one for 20 that end at once"
  let rules = Rules(31)

  private static let count = 20

  func play(_ side: Side, _ notes: Notes) {
    switch side {
    case .coreFoundation: play(notes, start: startByFoundation) { $0.waitUntilExit() }
    case .mainspring: play(notes, start: startByKernel, wait: waitByMainspring)
    }
  }

  private func play<Started: Sendable>(
    _ notes: Notes, start: (_ seconds: String) -> Started, wait: @escaping @Sendable (Started) -> Void
  ) {
    let long = start("0.5")
    let isDone = DispatchSemaphore(value: 0)
    let used = ProcessFigures.processorMicroseconds(perOneOf: 1) {
      onAnotherThread {
        wait(long)
        isDone.signal()
      }
      isDone.wait()
    }
    notes.note("cpu_ms", used / 1000)
    let watch = Stopwatch()
    for _ in 0..<Self.count { wait(start("0")) }
    notes.note("each_ms", watch.milliseconds / Double(Self.count))
  }

  private func startByFoundation(_ seconds: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [seconds]
    do {
      try process.run()
    } catch {
      preconditionFailure("\(error)")
    }
    return process
  }

  private func startByKernel(_ seconds: String) -> pid_t {
    var process = pid_t()
    let result = unsafe withTexts([Self.program, seconds]) { arguments in
      unsafe posix_spawn(&process, Self.program, nil, nil, arguments, environ)
    }
    precondition(result == 0, "cannot start \(Self.program): error \(result)")
    return process
  }

  @Sendable private func waitByMainspring(_ process: pid_t) {
    do {
      // Its handler's end leaves nothing to wait for.
      let exit = try RunLoop.ChildExit(process: process) { _, _ in }
      try RunLoop.current.add(exit, to: .default)
      RunLoop.current.run()
    } catch { preconditionFailure("\(error)") }
  }

  private static let program = "/bin/sleep"

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let used = try facts.number("cpu_ms")
    let each = try facts.number("each_ms")
    return Finding(
      "\(milliseconds(used)) of processor time; \(milliseconds(each)) each", isRight: used < 100 && each < 40)
  }
}
