import CMainspring
import CTestCalls
import Glibc
import LinuxKernel
import Mainspring
import Synchronization

/// Crashes, and what the loop does before the process is gone.
enum CrashScenario {
  /// No core dumps of what crashes on purpose.
  private static func prepare() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  private static func rescue(
    within limit: Duration = .seconds(20), modes: [RunLoop.Mode] = [.common],
    onCrash: @escaping @Sendable (CrashRescue.Crash) -> Void = finishTold
  ) throws -> CrashRescue {
    prepare()
    return try CrashRescue(on: .current, modes: modes, within: limit, onCrash: onCrash)
  }

  private static let finishTold: @Sendable (CrashRescue.Crash) -> Void = { crash in
    tellOf(crash)
    crash.finish()
  }

  private static func tellOf(_ crash: CrashRescue.Crash) {
    tell("\(crash.signalName), fault: \(crash.code > 0), on the loop's thread: \(crash.isOnLoopThread)")
  }

  private static func crash() { unsafe test_write_to(UnsafeMutableRawPointer(bitPattern: 64)!) }

  /// In a callout of a timer; the loop goes on within the handler.
  static func onOwnThread() throws {
    let rescue = try rescue { crash in
      tellOf(crash)
      tell("address: \(crash.address ?? 0)")
      let timer = RunLoop.Timer(after: .milliseconds(20)) { _ in
        tell("a timer later")
        crash.finish()
      }
      RunLoop.current.add(timer, to: .default)
    }
    let timer = RunLoop.Timer(after: .milliseconds(1)) { _ in crash() }
    RunLoop.current.add(timer, to: .default)
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// On another thread; the loop's sleeps.
  static func elsewhere() throws {
    let rescue = try rescue()
    let crasher = try RunLoopThread(named: "crasher")
    crasher.perform { crash() }
    RunLoop.current.run(in: .default, for: .seconds(30), whenEmpty: .wait)
    tell("not reached \(rescue) \(crasher)")
  }

  /// The program saves by crashing once more.
  static func twice() throws {
    let rescue = try rescue { crash in
      tellOf(crash)
      CrashScenario.crash()
      tell("not reached")
    }
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// Nobody ever says that it is finished; the callout itself never returns.
  static func withoutEnd() throws {
    let rescue = try rescue(within: .milliseconds(100)) { crash in
      tellOf(crash)
      while true { sched_yield() }
    }
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// The whole stack is used up.
  static func stackOverflow() throws {
    let rescue = try rescue()
    RunLoop.current.perform(in: .default) { test_overflow_stack() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  static func aborting() throws {
    let rescue = try rescue()
    RunLoop.current.perform(in: .default) { abort() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// A trap of the language's.
  static func trapping() throws {
    let rescue = try rescue()
    RunLoop.current.perform(in: .default) {
      let numbers = [Int](repeating: 0, count: CommandLine.arguments.count)
      tell("not reached \(numbers[numbers.count + 1])")
    }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// Only what belongs to the modes goes on, and several take turns.
  static func inModes() throws {
    let late = RunLoop.Mode("late")
    let rescue = try rescue(modes: [.tracking, late]) { crash in
      RunLoop.current.perform(in: .default) { tell("not reached") }
      RunLoop.current.perform(in: late) {
        tell("in the other mode")
        crash.finish()
      }
      tell("in \(RunLoop.current.currentMode == .tracking ? "tracking" : "the late mode")")
    }
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// Whoever had the signal before has it afterwards.
  static func chained() throws {
    prepare()
    signal(SIGSEGV) { _ in
      unsafe test_write_line("the handler from before")
      _exit(7)
    }
    let rescue = try CrashRescue(on: .current, within: .seconds(20), onCrash: finishTold)
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// Installed, refused a second time, removed, installed again; then a signal that nobody handles any more.
  static func removed() throws {
    let first = try rescue()
    do {
      _ = try CrashRescue(on: .current, within: .seconds(1)) { _ in }
    } catch {
      tell("\(error)")
    }
    first.remove()
    let second = try rescue()
    second.remove()
    first.remove()
    tell("removed")
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
  }

  /// The child has neither the guard nor the loop that would save.
  static func inChild() throws {
    let rescue = try rescue()
    let child = forkInTime()
    if child == 0 {
      crash()
      _exit(0)
    }
    tell("the child ended by signal \(signalThatEnds(child))")
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// The child's own rescue finds that of its parent installed.
  static func againInChild() throws {
    let rescue = try rescue()
    let child = forkInTime()
    if child == 0 {
      boundLife()
      let own = try CrashScenario.rescue()
      RunLoop.current.perform(in: .default) { crash() }
      RunLoop.current.run()
      tell("not reached \(own)")
    }
    tell("the child ended by signal \(signalThatEnds(child))")
    withExtendedLifetime(rescue) {}
  }

  /// The child has removed its rescue, and has its parent's no more.
  static func removedInChild() throws {
    let rescue = try rescue()
    let child = forkInTime()
    if child == 0 {
      boundLife()
      try CrashScenario.rescue().remove()
      crash()
      _exit(0)
    }
    tell("the child ended by signal \(signalThatEnds(child))")
    withExtendedLifetime(rescue) {}
  }

  private static func signalThatEnds(_ child: pid_t) -> CInt {
    var status: CInt = 0
    unsafe waitpid(child, &status, 0)
    return status & 0x7F
  }

  /// A crash that is handled without end ends by another signal.
  private static func boundLife() { alarm(15) }

  /// Somebody took the signal over between two rescues, and gives it back to who had it before: the first of them.
  static func passedBack() throws {
    prepare()
    let first = try rescue()
    test_take_over(SIGSEGV)
    first.remove()
    let second = try rescue()
    second.remove()
    boundLife()
    crash()
    tell("not reached")
  }

  /// The same signal is given twice.
  static func givenTwice() throws {
    prepare()
    boundLife()
    let rescue = try CrashRescue(
      on: .current, within: .seconds(200), signals: [SIGSEGV, SIGSEGV], onCrash: finishTold)
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// The main thread returns while another has crashed, and the loop has not called anybody yet.
  static func whileMainReturns() throws {
    let rescue = try rescue()
    let crasher = try RunLoopThread(named: "crasher")
    crasher.perform { crash() }
    while ms_rescue_is_finished() != 0 { sched_yield() }
    tell("returns")
    withExtendedLifetime((rescue, crasher)) {}
  }

  /// The program ends itself when it has saved.
  static func exiting() throws {
    let rescue = try rescue { crash in
      tellOf(crash)
      exit(0)
    }
    let crasher = try RunLoopThread(named: "crasher")
    crasher.perform { crash() }
    RunLoop.current.run(in: .default, for: .seconds(30), whenEmpty: .wait)
    tell("not reached \(rescue) \(crasher)")
  }

  /// Three others want to know, and each takes all the time that it is given.
  static func heard() throws {
    let rescue = try rescue(within: .seconds(2))
    for _ in 0..<3 {
      _ = CrashListeners.add { _, limit in
        tell("another knows")
        usleep(useconds_t(limit / .microseconds(1)))
      }
    }
    RunLoop.current.perform(in: .default) { crash() }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }

  /// The loop has more to do that crashes.
  static func inManyTimers() throws {
    let rescue = try rescue()
    _ = CrashListeners.add { _, _ in usleep(100_000) }
    for _ in 0..<3 { RunLoop.current.add(RunLoop.Timer(after: .zero) { _ in crash() }, to: .default) }
    RunLoop.current.run()
    tell("not reached \(rescue)")
  }
}
