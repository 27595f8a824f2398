import CTestCalls
import Glibc
import LinuxKernel
import Mainspring

/// Kept-alive threads at the end of a process and in forked children.
enum ThreadScenario {
  /// The process ends while its thread does not.
  static func exit() throws {
    let thread = try RunLoopThread()
    let never = FutexWord(0)
    thread.perform {
      tell("block begins")
      RunLoop.main.stop()
      while true { never.wait(while: 0, until: nil) }
    }
    RunLoop.main.run(in: .default, whenEmpty: .wait)
    tell("main ends")
  }

  /// A child has no threads of its parent's.
  static func inChild() throws {
    let thread = try RunLoopThread()
    // The language's runtime has locks of its own, which it takes at the first use of a type: the thread has been
    // everywhere once before the fork.
    for _ in 0..<10 { try thread.performAndWait {} }
    let code = ForkScenario.inChild {
      tell("child: gone \(thread.stop()), takes a block: \(thread.perform {})")
    }
    tell("child ended with \(code)")
    tell("parent: \(try thread.performAndWait { true }), gone \(thread.stop())")
  }

  /// A block of the thread forks: in the child the thread, which is all there is, ends with the block.
  static func forking() throws {
    let thread = try RunLoopThread()
    thread.perform {
      // Behind it is more: the parent's to do.
      thread.perform {}
      let child = forkInTime()
      if child == 0 { return tell("child's block") }
      tell("child ended with \(test_wait(child))")
    }
    tell("parent: gone \(thread.stop())")
  }
}
