import Glibc
import LinuxKernel
import Mainspring
import Testing

private typealias Ending = RunLoop.ChildExit.Ending

@Suite struct ChildExitTests {
  @Test func `M31: the end of a child wakes the loop and is told once, with its status`() {
    let (child, seen) = (Child("read line; exit 3"), Record<Ending>())
    let told = Gate()
    let host = LoopHost { loop in
      let exit = try RunLoop.ChildExit(process: child.process) { source, ending in
        #expect(!source.isValid)
        seen.add(ending)
        // The descriptor stays readable; a nested run is not told again.
        loop.turn()
        told.open()
      }
      #expect(exit.isChild && exit.process == child.process)
      #expect(exit.debugDescription.contains("child exit made at MainspringTests/ChildExitTests.swift"))
      #expect(exit.debugDescription.hasSuffix("process \(child.process)"))
      try loop.add(exit, to: .common)
    }
    child.open()
    told.pass()
    host.end()
    #expect(seen.all == [.exited(code: 3)])
    #expect(child.reap() == nil, "it was reaped")
  }

  @Test func `M31: a child that a signal ended is told so`() throws {
    try CountingPoller.withLoop { loop, _ in
      let (child, seen) = (Child("read line"), Record<Ending>())
      let exit = try RunLoop.ChildExit(process: child.process) { _, ending in seen.add(ending) }
      try loop.add(exit, to: .default)
      loop.turn()
      #expect(seen.isEmpty)
      kill(child.process, SIGTERM)
      let result = loop.run()
      #expect(seen.all == [.killed(signal: SIGTERM, coreDumped: false)])
      #expect(result.reason == .finished && result.handledSource, "one end is all there is")
    }
  }

  @Test func `M31: a child that has ended already is told at once, and no other child is reaped`() throws {
    try CountingPoller.withLoop { loop, _ in
      let (first, second, seen) = (Child("exit 0"), Child("exit 1"), Record<Ending>())
      for child in [first, second] { child.awaitEnd() }
      let exit = try RunLoop.ChildExit(process: second.process) { _, ending in seen.add(ending) }
      try loop.add(exit, to: .default)
      loop.turn()
      #expect(seen.all == [.exited(code: 1)])
      #expect(first.reap() == 0)
      #expect(second.reap() == nil)
    }
  }

  @Test func `M31: a child is left to be reaped where that is asked for`() throws {
    try CountingPoller.withLoop { loop, _ in
      let (child, seen) = (Child("exit 4"), Record<Ending>())
      let exit = try RunLoop.ChildExit(process: child.process, reaps: false) { _, ending in seen.add(ending) }
      try loop.add(exit, to: .default)
      loop.run()
      #expect(seen.all == [.exited(code: 4)])
      #expect(child.reap() == 4 << 8)
    }
  }

  @Test func `M31: a child that somebody else reaped is told as that`() throws {
    try CountingPoller.withLoop { loop, _ in
      let (child, seen) = (Child("exit 0"), Record<Ending>())
      let exit = try RunLoop.ChildExit(process: child.process) { _, ending in seen.add(ending) }
      try loop.add(exit, to: .default)
      child.reap()
      loop.run()
      #expect(seen.all == [.reapedElsewhere])
    }
  }

  @Test func `M31: a process that is no child of this one is told to have ended, without a status`() throws {
    try CountingPoller.withLoop { loop, _ in
      // The shell says who its own child is, and waits for it, so that nobody else does.
      let shell = Child("sleep 1000 & echo $!; wait")
      let number = Box<CInt>()
      try loop.add(
        RunLoop.DescriptorSource(shell.output) { source, _ in
          number.value = CInt(shell.heard())
          source.invalidate()
        }, to: .default)
      loop.run()
      let grandchild = try #require(number.value)
      let seen = Record<Ending>()
      let exit = try RunLoop.ChildExit(process: grandchild) { _, ending in seen.add(ending) }
      #expect(!exit.isChild)
      #expect(exit.debugDescription.hasSuffix("not a child"))
      try loop.add(exit, to: .default)
      loop.turn()
      #expect(seen.isEmpty)
      kill(grandchild, SIGKILL)
      loop.run()
      #expect(seen.all == [.notOurChild])
      shell.reap()
    }
  }

  @Test func `M31: a number without a process, and that of a thread, are typed errors`() {
    let child = Child("exit 0")
    child.reap()
    #expect(throws: RunLoop.SourceError.noSuchProcess(child.process)) {
      try RunLoop.ChildExit(process: child.process) { _, _ in }
    }
    TestThread {
      let number = ThreadIdentity.kernelNumber
      #expect(throws: RunLoop.SourceError.notAProcess(number)) {
        try RunLoop.ChildExit(process: number) { _, _ in }
      }
    }.join()
  }

  @Test(arguments: [0, -1] as [CInt])
  func `M31: what can be no process's number traps`(number: CInt) async {
    await #expect(processExitsWith: .failure) { [number] in
      _ = try RunLoop.ChildExit(process: number) { _, _ in }
    }
  }

  @Test func `M31: a source that is invalidated leaves its child alone`() throws {
    try CountingPoller.withLoop { loop, _ in
      let child = Child("exit 5")
      let exit = try RunLoop.ChildExit(process: child.process) { _, _ in Issue.record("called") }
      try loop.add(exit, to: .default)
      child.awaitEnd()
      exit.invalidate()
      #expect(loop.run().reason == .finished)
      #expect(child.reap() == 5 << 8)
      #expect(throws: RunLoop.DescriptorError.invalidated) { try loop.add(exit, to: .default) }
    }
  }
}
