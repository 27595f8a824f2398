import Injecting
import Mainspring
import StallMonitor

/// A loop that stalls in its first pass, on a thread that does nothing else.
enum FreshLoop {
  static func run(_ injection: Injection, named name: String, watchedBy monitor: StallMonitor) {
    startThread(named: name) {
      let loop = RunLoop.current
      monitor.watch(loop, as: name)
      // Watched before it runs: the watcher's thread comes by within that time.
      Clock.rest(10_000_000)
      loop.perform(in: .default) {
        injection.perform()
        loop.stop()
      }
      loop.run()
      // What is told of a loop is told while it lives.
      Clock.rest(30_000_000)
    }
  }
}
