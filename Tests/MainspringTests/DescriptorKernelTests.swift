import Glibc
import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// Descriptor sources on pipes and files of the kernel.
@Suite struct DescriptorKernelTests {
  @Test func `M28: the loop reads nothing of the user's: the byte is still there`() throws {
    try CountingPoller.withLoop { loop, _ in
      let pipe = Pipe()
      pipe.fill()
      let seen = Record<RunLoop.Readiness>()
      let read = Record<Int>()
      try loop.add(
        RunLoop.DescriptorSource(pipe.readEnd) { source, ready in
          seen.add(ready)
          if seen.count == 3 { read.add(pipe.drain()) }
        }, to: .default)
      for _ in 0..<5 { loop.turn() }
      #expect(seen.all == [.read, .read, .read])
      #expect(read.all == [1])
    }
  }

  @Test func `M28: write readiness of a pipe, and hang-up once its writer is gone`() throws {
    try CountingPoller.withLoop { loop, poller in
      let pipe = Pipe()
      let seen = Record<String>()
      try loop.add(
        RunLoop.DescriptorSource(pipe.writeEnd, interest: .write) { source, ready in
          seen.add("write end \(ready)")
          source.invalidate()
        }, to: .default)
      loop.turn()
      try loop.add(
        RunLoop.DescriptorSource(pipe.readEnd) { _, ready in seen.add("read end \(ready)") }, to: .default)
      loop.turn()
      pipe.closeWriteEnd()
      for _ in 0..<3 { loop.turn() }
      #expect(seen.all == ["write end write", "read end hang-up"])
      let sleeps = poller.sleepCount
      loop.run(in: .default, for: .milliseconds(1))
      #expect(CountingPoller.sleepsOfOneWait.contains(poller.sleepCount - sleeps), "it rests")
    }
  }

  @Test(arguments: [RunLoop.DescriptorSource.Trigger.level, .edge])
  func `M28: exclusive on request`(trigger: RunLoop.DescriptorSource.Trigger) throws {
    try CountingPoller.withLoop { loop, _ in
      let pipe = Pipe()
      let seen = Record<String>()
      let first = RunLoop.DescriptorSource(pipe.readEnd, trigger: trigger, exclusive: true) { _, ready in
        seen.add("first \(ready)")
      }
      try loop.add(first, to: .default)
      pipe.fill()
      loop.turn()
      #expect(seen.all == ["first read"])
      // The kernel does not modify exclusive registrations; the loop has to.
      first.interest = []
      first.interest = .read
      loop.turn()
      #expect(seen.all == ["first read", "first read"])
      seen.clear()
      try loop.add(
        RunLoop.DescriptorSource(pipe.readEnd, trigger: trigger, exclusive: true) { _, ready in
          seen.add("second \(ready)")
        }, to: .default)
      try loop.add(
        RunLoop.DescriptorSource(pipe.readEnd, interest: [.read, .priority]) { _, ready in
          seen.add("shared \(ready)")
        }, to: .default)
      loop.turn()
      #expect(seen.all == ["first read", "second read", "shared read"])
    }
  }

  @Test func `M3: one look tells a named number of descriptors, and a busy time leaves none out`() throws {
    try CountingPoller.withLoop { loop, _ in
      let count = Limit.descriptorsPerPass + 20
      var owned: [CInt] = []
      defer { for number in owned { close(number) } }
      let seen = Record<CInt>()
      for _ in 0..<count {
        let number = try EventDescriptor().release()
        owned.append(number)
        EventDescriptor.ring(number)
        try loop.add(
          RunLoop.DescriptorSource(number) { source, _ in
            seen.add(source.descriptor)
            source.invalidate()
          }, to: .default)
      }
      loop.turn()
      #expect(seen.count == Limit.descriptorsPerPass)
      #expect(loop.run(in: .default).reason == .finished)
      #expect(seen.all.sorted() == owned.sorted())
    }
  }

  @Test func `M28: edge-triggered, and an edge that a pass did not come to is not lost`() throws {
    let pipes = [Pipe(), Pipe()]
    defer { withExtendedLifetime(pipes) {} }
    try CountingPoller.withLoop { loop, _ in
      let seen = Record<Int>()
      for (index, pipe) in pipes.enumerated() {
        pipe.fill()
        try loop.add(
          RunLoop.DescriptorSource(pipe.readEnd, trigger: .edge) { _, _ in seen.add(index) }, to: .default)
      }
      loop.turn(returnAfterSourceHandled: true)
      #expect(seen.count == 1)
      loop.turn()
      loop.turn()
      #expect(Set(seen.all) == [0, 1])
      #expect(seen.count == 2)
      pipes[0].fill()
      loop.turn()
      #expect(seen.all.last == 0 && seen.count == 3)
    }
  }

  @Test func `M29: a closed number is told .closed, and its source is invalid after that`() throws {
    try CountingPoller.withLoop { loop, _ in
      let pipe = Pipe()
      let seen = Record<RunLoop.Readiness>()
      let source = RunLoop.DescriptorSource(pipe.readEnd) { _, ready in seen.add(ready) }
      try loop.add(source, to: .default)
      loop.turn()
      pipe.closeReadEnd()
      source.interest = .write
      #expect(loop.run(in: .default).reason == .finished)
      #expect(seen.all == [.closed])
      #expect(!source.isValid)
    }
  }

  @Test(arguments: [true, false])
  func `M29: a reused number never reaches the old source: a further add tells it .closed`(hasDuplicate: Bool)
    throws
  {
    try CountingPoller.withLoop { loop, poller in
      let (old, new) = (Pipe(), Pipe())
      let seen = Record<String>()
      let former = RunLoop.DescriptorSource(old.readEnd, order: 1) { _, ready in seen.add("former \(ready)") }
      try loop.add(former, to: .default)
      loop.turn()
      let duplicate = hasDuplicate ? fcntl(old.readEnd, F_DUPFD_CLOEXEC, 0) : -1
      defer { if duplicate >= 0 { close(duplicate) } }
      // The old file's number now stands for the new one; with the duplicate the old registration lives on.
      #expect(dup2(new.readEnd, old.readEnd) == old.readEnd)
      if hasDuplicate { old.fill() }
      new.fill()
      try loop.add(
        RunLoop.DescriptorSource(old.readEnd, order: 2) { source, ready in
          seen.add("latter \(ready)")
          new.drain()
        }, to: .default)
      for _ in 0..<3 { loop.turn() }
      #expect(seen.all == ["former closed", "latter read"])
      #expect(!former.isValid)
      // The stale registration, which is ready for ever, does not make the loop spin.
      let sleeps = poller.sleepCount
      loop.run(in: .default, for: .milliseconds(1))
      #expect(CountingPoller.sleepsOfOneWait.contains(poller.sleepCount - sleeps))
      #expect(seen.count == 2)
    }
  }

  @Test(arguments: [1, 2])
  func `M29: an event of a former file reaches none of the sources that have its number now`(count: Int)
    throws
  {
    try CountingPoller.withLoop { loop, poller in
      let (old, new, other) = (Pipe(), Pipe(), Pipe())
      let seen = Record<String>()
      let former = RunLoop.DescriptorSource(old.readEnd) { _, _ in seen.add("former") }
      try loop.add(former, to: .default)
      // The mode keeps its wait set.
      try loop.add(RunLoop.DescriptorSource(other.readEnd) { _, _ in }, to: .default)
      loop.turn()
      let duplicate = fcntl(old.readEnd, F_DUPFD_CLOEXEC, 0)
      defer { close(duplicate) }
      // The old registration lives on, and cannot be deleted by the number any more.
      #expect(dup2(new.readEnd, old.readEnd) == old.readEnd)
      former.invalidate()
      for index in 0..<count {
        try loop.add(
          RunLoop.DescriptorSource(old.readEnd) { _, _ in
            seen.add("latter \(index)")
            new.drain()
          }, to: .default)
      }
      old.fill()
      for _ in 0..<2 { loop.turn() }
      #expect(seen.isEmpty)
      let sleeps = poller.sleepCount
      loop.run(in: .default, for: .milliseconds(1))
      #expect(CountingPoller.sleepsOfOneWait.contains(poller.sleepCount - sleeps))
      new.fill()
      loop.turn()
      #expect(seen.all.first == "latter 0")
    }
  }

  @Test
  func `M29: a source that is closed before it is removed, with a duplicate alive, leaves no event behind`()
    throws
  {
    try CountingPoller.withLoop { loop, poller in
      let (pipe, other) = (Pipe(), Pipe())
      let seen = Record<String>()
      let source = RunLoop.DescriptorSource(pipe.readEnd) { _, ready in seen.add("\(ready)") }
      try loop.add(source, to: .default)
      try loop.add(
        RunLoop.DescriptorSource(other.readEnd) { _, ready in
          seen.add("other \(ready)")
          other.drain()
        }, to: .default)
      loop.turn()
      let duplicate = fcntl(pipe.readEnd, F_DUPFD_CLOEXEC, 0)
      defer { close(duplicate) }
      pipe.closeReadEnd()
      source.invalidate()
      pipe.fill()
      loop.turn()
      let sleeps = poller.sleepCount
      loop.run(in: .default, for: .milliseconds(1))
      #expect(CountingPoller.sleepsOfOneWait.contains(poller.sleepCount - sleeps))
      other.fill()
      loop.turn()
      #expect(seen.all == ["other read"])
    }
  }

  @Test func `M29: a number that is not open, a file and a folder are typed errors at add`() {
    CountingPoller.withLoop { loop, _ in
      let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      let folder = unsafe open("/", O_RDONLY | O_CLOEXEC)
      defer { for number in [file, folder] { close(number) } }
      for number in [file, folder] {
        #expect(throws: RunLoop.DescriptorError.notPollable(number)) {
          try loop.add(RunLoop.DescriptorSource(number) { _, _ in }, to: .default)
        }
      }
      #expect(throws: RunLoop.DescriptorError.notOpen(1 << 20)) {
        try loop.add(RunLoop.DescriptorSource(1 << 20) { _, _ in }, to: .default)
      }
      #expect(loop.run(in: .default).reason == .finished, "nothing was added")
    }
  }

  @Test func `M29: a regular file can be added as always ready`() throws {
    try CountingPoller.withLoop { loop, _ in
      let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      let seen = Record<RunLoop.Readiness>()
      let source = RunLoop.DescriptorSource(file, files: .alwaysReady) { source, ready in
        seen.add(ready)
        if seen.count == 3 { source.interest = [] }
      }
      try loop.add(source, to: .default)
      for _ in 0..<5 { loop.turn() }
      #expect(seen.all == [.read, .read, .read])
      source.invalidate()
      #expect(loop.run(in: .default).reason == .finished)
    }
  }
}
