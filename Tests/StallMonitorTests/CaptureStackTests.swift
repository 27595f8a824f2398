import Foundation
import LinuxKernel
import StallMonitor
import Symbols
import Synchronization
import Testing

// One after another: their threads spin, and each sample waits until the thread gets a processor.
@Suite(.serialized, .answersSignals) struct CaptureStackTests {
  let sampler: StackSampler
  let symbolicator: Symbolicator

  init() throws {
    sampler = try StackSampler()
    // Without the system's debug files, which take long to unpack in debug builds.
    symbolicator = Symbolicator(memory: sampler.memory, debugRoot: "/nowhere")
  }

  func named(_ sample: StackSample) -> [SymbolicatedFrame] {
    symbolicator.symbolicate(sample.stack.frames, in: sample.modules)
  }

  /// Expects a function of this file with its line, in a stack that reaches the thread's first function.
  func expectComplete(
    _ sample: StackSample, naming function: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let frames = named(sample)
    #expect(sample.isComplete, "\(sample.stack.end)\n\(frames.listing)", sourceLocation: sourceLocation)
    #expect(!sample.isTruncated, sourceLocation: sourceLocation)
    let found = try #require(
      frames.function(function), "\(frames.listing)", sourceLocation: sourceLocation)
    let path = found.path ?? "no path"
    #expect(path.hasSuffix("Tests/StallMonitorTests/CaptureStackTests.swift"), sourceLocation: sourceLocation)
    #expect(found.line > 0, sourceLocation: sourceLocation)
    #expect(found.imageOffset > 0, sourceLocation: sourceLocation)
    #expect(found.buildID != nil, sourceLocation: sourceLocation)
  }

  @Test func `a busy thread's stack names its function and reaches the thread's base`() throws {
    let thread = TargetThread { busyFunction($0) }
    defer { thread.finish() }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    try expectComplete(sample, naming: "busyFunction(_:)")
    #expect(sample.method == .signal)
    #expect(sample.call == nil)
    #expect(sample.pause > .zero)
  }

  @Test func `a thread that reads an empty pipe shows the call and its caller`() throws {
    let pipe = Pipe()
    let thread = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
    defer { thread.finish { pipe.fileHandleForWriting.write(Data([1])) } }
    let sample = try sampler.sampleAsleep(thread: thread.number)
    try expectComplete(sample, naming: "readingFunction(_:_:)")
    #expect(sample.call?.number == 0)
    #expect(sample.waitChannel?.contains("pipe") == true)
  }

  @Test func `a thread that waits for a mutex shows who wants it`() throws {
    let lock = NSLock()
    lock.lock()
    let thread = TargetThread { lockingFunction(lock, $0) }
    defer { thread.finish { lock.unlock() } }
    let sample = try sampler.sampleAsleep(thread: thread.number, in: "futex_do_wait")
    try expectComplete(sample, naming: "lockingFunction(_:_:)")
    #expect(named(sample).names.contains { $0.contains("mutex_lock") })
  }

  @Test func `a recursion deeper than the copy shows both its ends`() throws {
    let shallow = try StackSampler(stackByteCountMax: 64 << 10, frameCountMax: 128)
    let thread = TargetThread(stackByteCount: 64 << 20) { recursiveFunction(100_000, $0) }
    defer { thread.finish() }
    let sample = try shallow.sample(thread: thread.number, timeout: .seconds(10))
    #expect(sample.isComplete, "\(sample.stack.end)")
    #expect(sample.isTruncated)
    #expect(sample.stack.frames.count == 128)
    #expect(sample.stack.omittedAfter == 95)
    #expect(sample.stack.omittedCount > 99_000)
    let names = named(sample).names
    #expect(names.first { $0.contains("spin") } != nil)
    #expect(names.suffix(8).contains { $0.contains("TargetThread.init") }, "\(names.suffix(8))")
  }

  @Test func `a thread that leaves its depth while it is read shows no wrong callers`() throws {
    let shallow = try StackSampler(stackByteCountMax: 16 << 10)
    let thread = TargetThread(stackByteCount: 8 << 20) { control in
      control.arrive()
      while !control.mustEnd {
        climb(4000)
        dive(4000)
      }
    }
    defer { thread.finish() }
    var deepCount = 0
    for _ in 0..<300 {
      let sample = try shallow.sample(thread: thread.number, timeout: .seconds(10))
      if sample.stack.omittedCount > 0 { deepCount += 1 }
      let names = named(sample).names
      let climbs = names.contains { $0.contains("climb(") }
      let dives = names.contains { $0.contains("dive(") }
      #expect(!(climbs && dives), "\(names)")
    }
    #expect(deepCount > 0)
  }

  @Test func `the process's first thread is followed to its start`() throws {
    let sample = try sampler.sample(thread: getpid(), timeout: .seconds(10))
    #expect(sample.isComplete, "\(sample.stack.end)\n\(named(sample).listing)")
    #expect(named(sample).names.last == "_start")
  }

  @Test func `frames of libc without frame pointer are crossed`() throws {
    let thread = TargetThread { sortingFunction($0) }
    defer { thread.finish() }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    try expectComplete(sample, naming: "sortingFunction(_:)")
    let names = named(sample).names
    let comparison = try #require(names.firstIndex { $0.contains("comparisonThatSpins") }, "\(names)")
    let sorting = try #require(names.firstIndex { $0.contains("sortingFunction") })
    #expect(comparison < sorting)
  }

  @Test func `a leaf of libc shows its caller`() throws {
    let thread = TargetThread { scanningFunction($0) }
    defer { thread.finish() }
    var wasInLeaf = false
    for _ in 0..<200 where !wasInLeaf {
      let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
      try expectComplete(sample, naming: "scanningFunction(_:)")
      wasInLeaf = named(sample).first?.functions.last?.imagePath.contains("libc.so") == true
    }
    #expect(wasInLeaf)
  }

  @Test func `what a signal handler interrupted is shown beneath it`() throws {
    let thread = TargetThread { interruptedFunction($0) }
    defer { thread.finish { handlerMayReturn.store(true, ordering: .relaxed) } }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    try expectComplete(sample, naming: "interruptedFunction(_:)")
    #expect(sample.stack.frames.contains { $0.kind == .signal })
    #expect(named(sample).names.contains { $0.contains("spinInHandler") })
  }

  @Test func `an inlined function is named, and where it was inlined`() throws {
    let thread = TargetThread { outerFunction($0) }
    defer { thread.finish() }
    let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
    let frames = named(sample)
    try expectComplete(sample, naming: "outerFunction(_:)")
    let inlined = try #require(frames.function("inlinedFunction"), "\(frames.listing)")
    let outer = try #require(frames.function("outerFunction"))
    #expect(!outer.isInlined)
    #expect(inlined.line != outer.line)
    // Debug builds inline nothing.
    if !isDebugBuild {
      #expect(inlined.isInlined)
      #expect(inlined.imageOffset == outer.imageOffset)
    }
  }

  @Test func `the callers that await an async function are shown`() async throws {
    let control = TargetThread.Control()
    async let result = awaitingFunction(control)
    control.awaitArrival()
    let thread = asyncThread.load(ordering: .acquiring)
    let sample = try sampler.sample(thread: thread, timeout: .seconds(10))
    let frames = named(sample)
    control.end()
    _ = await result
    let names = frames.names
    let busy = try #require(names.firstIndex { $0.contains("busyAsyncFunction") }, "\(frames.listing)")
    let awaiting = try #require(names.firstIndex { $0.contains("awaitingFunction") }, "\(frames.listing)")
    #expect(busy < awaiting)
    #expect(frames.contains { $0.frame.kind == .asyncResume })
  }
}

private let isDebugBuild = _isDebugAssertConfiguration()

// Functions for threads to be found in. Their names are what the tests look for.

// Each calls on: the line of a call is exact, that of a loop's only instruction may be nowhere in optimised
// code. Each has something to do afterwards, so that the call is no jump.

@inline(never) func busyFunction(_ control: TargetThread.Control) {
  spin(control)
  callsReturned.add(1, ordering: .relaxed)
}

@inline(never) func spin(_ control: TargetThread.Control) {
  control.arrive()
  while !control.mustEnd {}
}

private let callsReturned = Atomic(0)

@inline(never) func readingFunction(_ descriptor: CInt, _ control: TargetThread.Control) {
  var byte: UInt8 = 0
  control.arrive()
  let count = unsafe read(descriptor, &byte, 1)
  precondition(count == 1, "read answered \(count)")
}

@inline(never) func lockingFunction(_ lock: NSLock, _ control: TargetThread.Control) {
  control.arrive()
  lock.lock()
  withExtendedLifetime(lock) { lock.unlock() }
}

@discardableResult
@inline(never) func recursiveFunction(_ depth: Int, _ control: TargetThread.Control) -> Int {
  if depth == 0 {
    busyFunction(control)
    return 0
  }
  return 1 + recursiveFunction(depth - 1, control)
}

/// Two ways down, so that a stack with frames of both was never there.
@inline(never) func climb(_ depth: Int) {
  if depth > 0 { climb(depth - 1) }
  callsReturned.add(1, ordering: .relaxed)
}

@inline(never) func dive(_ depth: Int) {
  if depth > 0 { dive(depth - 1) }
  callsReturned.add(1, ordering: .relaxed)
}

private let sortingControl = Mutex<TargetThread.Control?>(nil)

@inline(never) func sortingFunction(_ control: TargetThread.Control) {
  sortingControl.withLock { $0 = control }
  var numbers: [Int32] = [2, 1]
  // SAFETY: sorts the two numbers of the array, which nobody else has.
  unsafe qsort(&numbers, numbers.count, 4) { unsafe comparisonThatSpins($0 == $1) }
  precondition(numbers.count == 2)
}

@inline(never) func comparisonThatSpins(_ equal: Bool) -> CInt {
  if let control = sortingControl.withLock({ $0 }) { busyFunction(control) }
  return equal ? 0 : 1
}

@inline(never) func scanningFunction(_ control: TargetThread.Control) {
  let text = [CChar](repeating: 65, count: 1 << 20) + [0]
  var sum = 0
  control.arrive()
  // SAFETY: the array ends with a zero.
  while !control.mustEnd { sum &+= unsafe strlen(text) }
  precondition(sum >= 0, "\(sum)")
}

private let handlerMayReturn = Atomic(false)
private let handlerControl = Mutex<TargetThread.Control?>(nil)

@inline(never) func interruptedFunction(_ control: TargetThread.Control) {
  handlerControl.withLock { $0 = control }
  signal(SIGUSR2) { _ in spinInHandler() }
  pthread_kill(pthread_self(), SIGUSR2)
  callsReturned.add(1, ordering: .relaxed)
}

@inline(never) func spinInHandler() {
  handlerControl.withLock { $0 }?.arrive()
  while !handlerMayReturn.load(ordering: .relaxed) {}
}

@inline(never) func outerFunction(_ control: TargetThread.Control) {
  inlinedFunction(control)
  callsReturned.add(1, ordering: .relaxed)
}

@inline(__always) func inlinedFunction(_ control: TargetThread.Control) {
  spin(control)
  callsReturned.add(1, ordering: .relaxed)
}

private let asyncThread = Atomic<Int32>(0)

@inline(never) func awaitingFunction(_ control: TargetThread.Control) async -> Int {
  await busyAsyncFunction(control) + 1
}

@inline(never) func busyAsyncFunction(_ control: TargetThread.Control) async -> Int {
  await Task.yield()
  asyncThread.store(ThreadIdentity.kernelNumber, ordering: .releasing)
  control.arrive()
  while !control.mustEnd {}
  return 1
}
