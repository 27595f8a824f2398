import CTestCalls
import Glibc
import Mainspring

/// A traced loop whose callout forks: the trace is the parent's alone.
enum TraceScenario {
  static func forking(to path: String) throws {
    let loop = RunLoop.current
    let trace = try RunLoop.Trace(at: path)
    loop.trace(to: trace)
    loop.perform(in: .default) {
      let code = ForkScenario.inChild {
        tell("child may trace: \(loop.trace(to: trace)), its own loop: \(RunLoop.current.trace(to: trace))")
        loop.stopTracing()
        RunLoop.current.perform(in: "the child's") {}
        RunLoop.current.run(in: "the child's")
        do { try trace.close() } catch { tell("\(error)") }
        tell("child lost \(trace.lostCount)")
      }
      tell("child ended with \(code)")
    }
    loop.perform(in: .default) {
      // The child goes out of the callout and of the run by the same ways as the parent.
      let child = forkInTime()
      if child != 0 { tell("second child ended with \(test_wait(child))") }
    }
    let reason = loop.run().reason
    if !loop.trace(to: trace) { exit(0) }
    try trace.close()
    tell("run ended: \(reason)")
  }
}
