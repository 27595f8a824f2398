import Glibc
import LinuxKernel
import Mainspring
import Synchronization

/// What is left of loops whose threads have ended.
enum EndScenario {
  static func keptReferences() throws {
    let main = RunLoop.current
    let kept = Locked<[RunLoop]>([])
    var ends: [CInt] = [0, 0]
    _ = unsafe pipe(&ends)
    let readEnd = ends[0]
    for number in 0..<100 {
      let token = RunLoop.Token()
      try NativeThread.start(named: "loop \(number)") {
        let own = RunLoop.current
        kept.withLock { $0.append(own) }
        try? own.add(RunLoop.DescriptorSource(readEnd) { _, _ in }, to: .default)
        own.add(RunLoop.Timer(after: .seconds(100), on: .boot) { _ in }, to: .default)
        own.run(in: .default, for: .milliseconds(1))
        // Its loop's end comes after this, on the same thread; a source's cancel callback is the last that is called.
        own.add(RunLoop.Source(onCancel: { _, _ in token.signal() }) { _ in }, to: .default)
      }
      main.run(until: token)
    }
    // The bell of the last one goes a moment after its last callback.
    while loopDescriptors() > 0 { sched_yield() }
    tell("\(kept.withLock { $0.count }) loops kept, no descriptor held")
  }
}

/// The kinds of descriptor that loops open for themselves.
func loopDescriptors() -> Int {
  (0..<64).count { number in
    var target = [CChar](repeating: 0, count: 64)
    let length = unsafe readlink("/proc/self/fd/\(number)", &target, 63)
    let name = String(decoding: target.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.hasPrefix("anon_inode")
  }
}
