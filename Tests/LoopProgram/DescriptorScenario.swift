import Glibc
import LinuxKernel
import Mainspring

/// A process that has no descriptor left.
enum DescriptorScenario {
  private static func makePipe() -> (read: CInt, write: CInt) {
    var ends: [CInt] = [0, 0]
    _ = unsafe pipe(&ends)
    var byte: UInt8 = 0
    _ = unsafe write(ends[1], &byte, 1)
    return (ends[0], ends[1])
  }

  /// Sets how many descriptors there may be: as many as there are, or plenty.
  private static func limitDescriptors(toThoseOpen: Bool) {
    let next = dup(0)
    close(next)
    var limit = rlimit(rlim_cur: toThoseOpen ? rlim_t(next) : 256, rlim_max: 256)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  static func onOwnThread() throws {
    let loop = RunLoop.current
    let pipe = makePipe()
    limitDescriptors(toThoseOpen: true)
    for mode in [RunLoop.Mode.default, .common, .default] {
      do throws(RunLoop.DescriptorError) {
        try loop.add(RunLoop.DescriptorSource(pipe.read) { _, _ in tell("not expected") }, to: mode)
        tell("added to \(mode)")
      } catch { tell("\(mode): \(error)") }
      loop.run(in: .default, for: .zero)
    }
    // What needs no descriptor goes on.
    loop.perform(in: .default) { tell("block") }
    loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in tell("timer") }, to: .default)
    tell("run ended: \(loop.run().reason)")
    limitDescriptors(toThoseOpen: false)
    let source = RunLoop.DescriptorSource(pipe.read) { source, readiness in
      tell("ready: \(readiness)")
      source.invalidate()
    }
    try loop.add(source, to: .default)
    tell("run ended: \(loop.run().reason)")
  }

  /// A nested run in a mode for whose set there is no descriptor does not silence a source in the mode that has one.
  static func inANestedRun() throws {
    let loop = RunLoop.current
    let pipe = makePipe()
    let told = Locked<[String]>([])
    let source = RunLoop.DescriptorSource(pipe.read) { _, readiness in
      told.withLock { $0.append("\(readiness)") }
    }
    try loop.add(source, to: .common)
    loop.run(in: .default, for: .zero)
    limitDescriptors(toThoseOpen: true)
    loop.run(in: .tracking, for: .milliseconds(1))
    limitDescriptors(toThoseOpen: false)
    loop.run(in: .default, for: .zero)
    tell(told.withLock { $0.joined(separator: ", ") })
  }

  static func fromElsewhere() throws {
    let loop = RunLoop.current
    let pipe = makePipe()
    let token = RunLoop.Token()
    let source = RunLoop.DescriptorSource(pipe.read) { source, readiness in
      tell("ready: \(readiness), \(source.failure.map { "\($0)" } ?? "no failure")")
      if readiness.contains(.read) { return token.signal() }
      limitDescriptors(toThoseOpen: false)
      // Tries again, within the run.
      source.interest = .read
    }
    try NativeThread.start(named: "elsewhere") {
      limitDescriptors(toThoseOpen: true)
      do throws(RunLoop.DescriptorError) { try loop.add(source, to: .default) } catch { tell("\(error)") }
    }
    tell("run ended: \(loop.run(until: token, for: .seconds(5)).reason)")
  }
}
