import CTestCalls
import Glibc
import LinuxKernel
import Mainspring

/// What a forked child finds, and that its parent does not notice.
enum ForkScenario {
  /// Runs `body` in a child and says how it ended: 0 if it returned, and never later than after ten seconds.
  static func inChild(_ body: () -> Void) -> CInt {
    let child = forkInTime()
    if child == 0 {
      body()
      _exit(0)
    }
    return test_wait(child)
  }

  static func outsideRuns() {
    let loop = RunLoop.current
    var ends: [CInt] = [0, 0]
    _ = unsafe pipe(&ends)
    let readEnd = ends[0]
    let timer = RunLoop.Timer(every: .milliseconds(5)) { timer in tell("parent's timer") }
    let source = RunLoop.Source { _ in tell("parent's source") }
    let port = RunLoop.Port<Int> { _, message in tell("parent's port: \(message)") }
    let reader = RunLoop.DescriptorSource(readEnd) { source, _ in
      tell("parent's pipe")
      source.invalidate()
    }
    for item in [timer, source, port, reader] { loop.add(item, to: .default) }
    loop.perform(in: .default) { tell("parent's block") }
    source.signal()
    port.send(1)
    // The wait sets are there, and the bell.
    loop.run(in: .default, for: .zero)

    let code = inChild {
      let fresh = RunLoop.current
      tell("fresh: \(fresh !== loop), main: \(RunLoop.main.base === fresh), empty: \(fresh.run().reason)")
      tell("descriptors: \(loopDescriptors())")
      tell("items valid: \([timer, source, port, reader].map(\.isValid).contains(true))")
      tell("inherited loop takes a block: \(loop.perform(in: .default) {}), a stop: \(loop.stop())")
      tell("fresh loop takes an inherited item: \(fresh.add(timer, to: .default))")
      tell("inherited loop takes a fresh item: \(loop.add(RunLoop.Source { _ in }, to: .default))")
      tell("port: \(port.send(2)), date: \(timer.setFireDate(.now))")
      source.signal()
      timer.invalidate()
      loop.wakeUp()
      do {
        try fresh.add(
          RunLoop.DescriptorSource(readEnd) { source, _ in
            tell("child's pipe")
            source.invalidate()
            fresh.add(RunLoop.Timer(after: .milliseconds(1)) { _ in tell("child's timer") }, to: .default)
          }, to: .default)
      } catch { tell("\(error)") }
      var byte: UInt8 = 0
      _ = unsafe write(ends[1], &byte, 1)
      tell("child ran: \(fresh.run(in: .default, for: .seconds(5)).reason)")
    }
    tell("child ended with \(code)")
    loop.add(RunLoop.Timer(after: .milliseconds(8)) { _ in loop.stop() }, to: .default)
    tell("parent ran: \(loop.run(in: .default, for: .seconds(5)).reason)")
  }

  static func inABlock() {
    let loop = RunLoop.current
    let isParent = Flag()
    loop.add(RunLoop.Timer(after: .zero) { _ in tell("timer, parent: \(isParent.isSet)") }, to: .default)
    loop.add(RunLoop.Observer(.exit) { _, _ in tell("exit, parent: \(isParent.isSet)") }, to: .default)
    loop.perform(in: .default) {
      let child = forkInTime()
      guard child == 0 else {
        isParent.set()
        tell("child ended with \(test_wait(child))")
        return
      }
      tell("stop in the child: \(loop.stop())")
    }
    loop.perform(in: .default) { tell("second block, parent: \(isParent.isSet)") }
    let result = loop.run(in: .default, for: .seconds(5))
    tell("run ended: \(result.reason), parent: \(isParent.isSet)")
    if !isParent.isSet { _exit(7) }
  }

  static func inAnObserver() throws {
    let loop = RunLoop.current
    let isParent = Flag()
    var ends: [CInt] = [0, 0]
    _ = unsafe pipe(&ends)
    try loop.add(RunLoop.DescriptorSource(ends[0]) { _, _ in tell("pipe") }, to: .default)
    let observer = RunLoop.Observer(.beforeWaiting, repeats: false) { _, _ in
      let child = forkInTime()
      guard child == 0 else {
        isParent.set()
        tell("child ended with \(test_wait(child))")
        return
      }
    }
    loop.add(observer, to: .default)
    let result = loop.run(in: .default, for: .milliseconds(20))
    tell("run ended: \(result.reason), parent: \(isParent.isSet)")
    if !isParent.isSet { _exit(7) }
  }

  static func onAnotherThread() throws {
    let main = RunLoop.current
    try NativeThread.start(named: "forker") {
      let own = RunLoop.current
      // The language's runtime looks things up at their first use, under locks: nobody is to be at that now.
      _ = linesOfOneRun([own, main])
      while !main.isWaiting { sched_yield() }
      let code = inChild { for line in linesOfOneRun([own, main]) { tell(line) } }
      tell("child ended with \(code)")
      main.perform(in: .default) { main.stop() }
    }
    tell("parent ran: \(main.run(in: .default, for: .seconds(20), whenEmpty: .wait).reason)")
  }

  /// What the loop of this thread does, and which it is.
  private static func linesOfOneRun(_ others: [RunLoop]) -> [String] {
    let loop = RunLoop.current
    let ran = Flag()
    loop.perform(in: .default) { ran.set() }
    let reason = loop.run().reason
    return [
      "fresh: \(!others.contains { $0 === loop }), main: \(RunLoop.main.base === loop)",
      "child ran: \(reason), its block: \(ran.isSet)",
    ]
  }

  /// Other threads hold every lock there is, over and over, while this one forks.
  static func underLocks() throws {
    let main = RunLoop.current
    let port = RunLoop.Port<Int>(capacity: 16) { _, _ in }
    main.add(port, to: .default)
    let isOver = Flag()
    let haveBegun = [RunLoop.Token(), RunLoop.Token()]
    for number in 0..<2 {
      try NativeThread.start(named: "busy \(number)") {
        var count = 0
        while !isOver.isSet {
          count += 1
          main.perform(in: .default) {}
          port.send(count)
          _ = RunLoop.Mode("mode \(count % 50)")
          _ = try? main.performAndWait(in: "never", for: .nanoseconds(1)) {}
          if count == 500 { haveBegun[number].signal() }
        }
      }
    }
    // The language's runtime has locks of its own, which it takes at the first use of a type: everybody has been
    // everywhere once before this thread forks.
    childsWork(-1, port: port, main: main)
    for token in haveBegun { main.run(until: token) }
    var codes = Set<CInt>()
    for round in 0..<100 {
      main.run(in: .default, for: .zero)
      let code = inChild { childsWork(round, port: port, main: main) }
      codes.insert(code)
      if code != 0 { break }
    }
    isOver.set()
    tell("children ended with \(codes.sorted())")
  }

  private static func childsWork(_ round: Int, port: RunLoop.Port<Int>, main: RunLoop) {
    let fresh = RunLoop.current
    let mode = RunLoop.Mode("child \(round)")
    _ = port.send(0)
    _ = main.perform(in: .default) {}
    let ran = Flag()
    fresh.add(RunLoop.Observer(.entry) { _, _ in }, to: mode)
    _ = try? fresh.performAndWait(in: mode) { ran.set() }
    fresh.perform(in: mode) { tell("") }
    if !ran.isSet || fresh.run(in: mode).reason != .finished { _exit(9) }
  }
}
