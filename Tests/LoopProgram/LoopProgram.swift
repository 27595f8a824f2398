import CTestCalls
import Glibc

/// What loops do where tests cannot be — on the main thread, in a forked child, with no descriptor left — told line by
/// line. The one argument names the scenario.
@main
struct LoopProgram {
  @MainActor
  static func main() throws {
    endInTime(within: 60)
    switch CommandLine.arguments.dropFirst().first {
    case "main-loop": try MainLoopScenario.run()
    case "main-loop-nested": MainLoopScenario.runNested()
    case "fork-outside-runs": ForkScenario.outsideRuns()
    case "fork-in-a-block": ForkScenario.inABlock()
    case "fork-in-an-observer": try ForkScenario.inAnObserver()
    case "fork-elsewhere": try ForkScenario.onAnotherThread()
    case "fork-under-locks": try ForkScenario.underLocks()
    case "fork-while-traced": try TraceScenario.forking(to: CommandLine.arguments[2])
    case "ended-loops": try EndScenario.keptReferences()
    case "signal-handlers": try HandlerScenario.run()
    case "no-descriptors": try DescriptorScenario.onOwnThread()
    case "no-descriptors-nested": try DescriptorScenario.inANestedRun()
    case "no-descriptors-elsewhere": try DescriptorScenario.fromElsewhere()
    case "signals-to-all": try SignalScenario.allSources()
    case "signals-early": try SignalScenario.earlySignal()
    case "signals-twice": try SignalScenario.secondSignal()
    case "signals-in-child": try SignalScenario.inChild()
    case "owned-descriptors": try OwnedDescriptorScenario.closing()
    case "no-descriptors-to-own": try OwnedDescriptorScenario.shortage()
    case "thread-at-exit": try ThreadScenario.exit()
    case "thread-in-child": try ThreadScenario.inChild()
    case "thread-that-forks": try ThreadScenario.forking()
    case "crash-on-own-thread": try CrashScenario.onOwnThread()
    case "crash-elsewhere": try CrashScenario.elsewhere()
    case "crash-twice": try CrashScenario.twice()
    case "crash-without-end": try CrashScenario.withoutEnd()
    case "crash-stack-overflow": try CrashScenario.stackOverflow()
    case "crash-abort": try CrashScenario.aborting()
    case "crash-trap": try CrashScenario.trapping()
    case "crash-in-modes": try CrashScenario.inModes()
    case "crash-chained": try CrashScenario.chained()
    case "crash-removed": try CrashScenario.removed()
    case "crash-in-child": try CrashScenario.inChild()
    case "crash-again-in-child": try CrashScenario.againInChild()
    case "crash-removed-in-child": try CrashScenario.removedInChild()
    case "crash-passed-back": try CrashScenario.passedBack()
    case "crash-given-twice": try CrashScenario.givenTwice()
    case "crash-while-main-returns": try CrashScenario.whileMainReturns()
    case "crash-exit": try CrashScenario.exiting()
    case "crash-heard": try CrashScenario.heard()
    case "crash-in-many-timers": try CrashScenario.inManyTimers()
    case "peer-echo": try PeerScenario.echo()
    case "peer-files": try PeerScenario.files()
    case "peer-leaks": try PeerScenario.leaks()
    case "peer-listener": try PeerScenario.listen(at: CommandLine.arguments[2])
    case "peer-stream": try PeerScenario.stream()
    default: exit(2)
    }
  }
}

/// Ends this process by SIGALRM unless it ends by itself before: who started it may have blocked that.
func endInTime(within seconds: UInt32) {
  var none = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
  alarm(seconds)
}

/// Forks; the child ends after ten seconds unless it ends by itself before, which alarms of the parent do not see to.
func forkInTime() -> pid_t {
  let child = test_fork()
  guard child == 0 else { return child }
  var own = sigset_t()
  unsafe sigemptyset(&own)
  unsafe sigaddset(&own, SIGALRM)
  unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
  alarm(10)
  return child
}

/// Prints a line at once: a forked child must not inherit what is buffered.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // SAFETY: writes the array's bytes.
  _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
}
