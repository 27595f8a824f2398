import Glibc
import LinuxKernel
import Testing

@Suite struct EpollSetTests {
  /// What one look finds, by token.
  private func look(_ set: EpollSet, capacity: Int = 16) -> [UInt64: UInt32] {
    var events = ReadyEvents(capacity: capacity)
    set.wait(nanoseconds: 0, into: &events)
    var found: [UInt64: UInt32] = [:]
    for index in 0..<events.count { found[events.token(at: index)] = events.bits(at: index) }
    return found
  }

  /// An eventfd that this closure owns.
  private func withEvent(_ body: (CInt) throws -> Void) throws {
    let event = try EventDescriptor()
    try body(event.number)
  }

  @Test func `a registered descriptor is told with its token once it is ready`() throws {
    let set = try EpollSet()
    try withEvent { number in
      let token = UInt64.max - 1
      try set.add(number, bits: EpollBits.read, token: token)
      #expect(look(set).isEmpty)
      EventDescriptor.ring(number)
      #expect(look(set) == [token: EpollBits.read])
      #expect(look(set) == [token: EpollBits.read], "level-triggered")
      try set.modify(number, bits: EpollBits.write, token: 5)
      #expect(look(set) == [5: EpollBits.write])
      try set.remove(number)
      #expect(look(set).isEmpty)
    }
  }

  @Test func `an edge is told once a ring`() throws {
    let set = try EpollSet()
    try withEvent { number in
      try set.add(number, bits: EpollBits.read | EpollBits.edgeTriggered, token: 1)
      for _ in 0..<2 {
        EventDescriptor.ring(number)
        #expect(look(set).count == 1)
        #expect(look(set).isEmpty)
      }
    }
  }

  @Test func `what goes wrong is thrown with its number`() throws {
    let set = try EpollSet()
    try withEvent { number in
      try set.add(number, bits: EpollBits.read, token: 1)
      #expect(throws: KernelError.exists) { try set.add(number, bits: EpollBits.read, token: 2) }
      try set.remove(number)
      #expect(throws: KernelError.notThere) { try set.modify(number, bits: EpollBits.read, token: 2) }
      #expect(throws: KernelError.notThere) { try set.remove(number) }
    }
    #expect(throws: KernelError.badDescriptor) { try set.add(1 << 20, bits: EpollBits.read, token: 1) }
    let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(throws: KernelError.notPermitted) { try set.add(file, bits: EpollBits.read, token: 1) }
  }

  @Test func `one look tells at most its capacity, and the next ones the rest`() throws {
    let set = try EpollSet()
    var owned: [CInt] = []
    defer { for number in owned { close(number) } }
    for token in 0..<5 {
      let number = try EventDescriptor().release()
      owned.append(number)
      try set.add(number, bits: EpollBits.read | EpollBits.edgeTriggered, token: UInt64(token))
      EventDescriptor.ring(number)
    }
    var seen: Set<UInt64> = []
    for expected in [2, 2, 1, 0] {
      let found = look(set, capacity: 2)
      #expect(found.count == expected)
      seen.formUnion(found.keys)
    }
    #expect(seen == [0, 1, 2, 3, 4])
  }

  @Test func `a wait sleeps until another thread makes something ready`() throws {
    let set = try EpollSet()
    try withEvent { number in
      try set.add(number, bits: EpollBits.read, token: 3)
      let ringer = TestThread { EventDescriptor.ring(number) }
      var events = ReadyEvents(capacity: 4)
      while events.count == 0 { set.wait(nanoseconds: nil, into: &events) }
      let found = (0..<events.count).map { events.token(at: $0) }
      ringer.join()
      #expect(found == [3])
    }
  }
}
