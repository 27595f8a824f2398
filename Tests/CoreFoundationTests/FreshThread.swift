import CoreFoundation
import LinuxKernel
import SimulationPrograms

/// A thread for one program: a CFRunLoop has its modes and its blocks as long as its thread.
final class FreshThread: @unchecked Sendable {
  // Sendable: what the thread leaves here is read after the state has said that it is there.
  private let state = FutexWord(starting)
  private let program: Program
  private let restraint: (any Restraint)?
  private var loop: CFRunLoop?
  private var log: [Line] = []

  private static let starting: UInt32 = 2
  private static let playing: UInt32 = 1
  private static let over: UInt32 = 0

  /// How long a program may take: one that needs longer sleeps, which none is to.
  private static let patienceNanoseconds: UInt64 = 1_000_000_000

  private init(_ program: Program, _ restraint: (any Restraint)?) {
    self.program = program
    self.restraint = restraint
  }

  /// Plays the program on CFRunLoop. One that slept and had to be stopped ends with a line that says so.
  static func play(_ program: Program, restraint: (any Restraint)? = nil) -> [Line] {
    let thread = FreshThread(program, restraint)
    do throws(KernelError) {
      try NativeThread.start(named: "corefoundation") { thread.play() }
    } catch {
      preconditionFailure("no thread to be had: \(error)")
    }
    return thread.joined()
  }

  private func play() {
    loop = CFRunLoopGetCurrent()
    enter(Self.playing)
    log = Player(program, on: CoreFoundationWorld(), restraint: restraint).play()
    enter(Self.over)
  }

  private func enter(_ next: UInt32) {
    _ = state.exchange(next)
    state.wake(all: true)
  }

  private func joined() -> [Line] {
    var wasRescued = false
    while true {
      let seen = state.load()
      if seen == Self.over { break }
      let deadline = MonotonicClock.now() + Self.patienceNanoseconds
      guard state.wait(while: seen, until: deadline) == .timedOut, seen == Self.playing else { continue }
      CFRunLoopStop(loop)
      wasRescued = true
    }
    return wasRescued ? log + [Line(time: 0, depth: 0, event: .rescue)] : log
  }
}
