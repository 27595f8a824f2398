import LinuxKernel

/// The descriptor sources of one mode and their registrations with the kernel.
///
/// A registration is of a number; which file stands behind the number can change behind our back. Each carries
/// a generation, so that an event of a former file never reaches a new source; a further add on a number probes
/// whether it is still the same file; and an event of a registration that cannot be deleted any more (a
/// duplicate of the closed descriptor keeps it alive) makes the set be built anew instead of spinning.
///
/// Only on the loop's thread.
@safe final class ModeWaitSet {
  /// None as long as nothing was registered, and where the process had no descriptor left for it.
  @safe @exclusivity(unchecked) private var kernelSet: (any WaitSet)? {
    didSet {
      unsafe borrowedKernelSet = (kernelSet as? KernelWaitSet).map { unsafe Unmanaged.passUnretained($0) }
    }
  }
  /// The same where it is the kernel's own, called without a look-up and without counting. SAFETY: goes with it.
  @exclusivity(unchecked) private var borrowedKernelSet: Unmanaged<KernelWaitSet>?
  @safe @exclusivity(unchecked) private var events = ReadyEvents(capacity: Limit.descriptorsPerPass)
  private let remake: () throws(KernelError) -> any WaitSet
  @safe @exclusivity(unchecked) private var table = RegistrationTable()
  @safe @exclusivity(unchecked) private var alwaysReady: [RunLoop.DescriptorSource] = [] {
    didSet { noteReady() }
  }
  /// What is to be served without asking the kernel: closed numbers, and edges that a pass did not get to.
  @safe @exclusivity(unchecked) private(set) var latched:
    [(source: RunLoop.DescriptorSource, readiness: RunLoop.Readiness)] = []
  {
    didSet { noteReady() }
  }
  /// Whether there is anything of these two sorts: asked at every look.
  @safe @exclusivity(unchecked) private var mayBeReadyByItself = false
  private var nextGeneration: UInt32 = 1
  private var hasStaleRegistration = false

  init(remake: @escaping () throws(KernelError) -> any WaitSet) { self.remake = remake }

  /// Makes what the kernel waits with, if that was not done yet.
  @discardableResult
  func open() throws(KernelError) -> any WaitSet {
    if let kernelSet { return kernelSet }
    let made = try remake()
    kernelSet = made
    return made
  }

  /// What the kernel waits with, for who has to watch it.
  var present: (any WaitSet)? { kernelSet }

  /// Whether there is something in the kernel to wait with.
  var isOpen: Bool { kernelSet != nil }

  var isEmpty: Bool { table.isEmpty && alwaysReady.isEmpty && latched.isEmpty }

  /// Whether something is ready whatever the kernel says.
  var isReady: Bool {
    mayBeReadyByItself && (!latched.isEmpty || alwaysReady.contains { !$0.interest.isEmpty })
  }

  private func noteReady() { mayBeReadyByItself = !latched.isEmpty || !alwaysReady.isEmpty }

  // MARK: sources

  func add(_ source: RunLoop.DescriptorSource) {
    let number = source.descriptor
    guard number >= 0 else { return latch(source, .closed) }
    if !table.hasSource(number) { return addFresh(source) }
    let present = table.sources(of: number)
    guard !present.contains(where: { $0 === source }) else { return }
    // Asked with the bits as they are: the answer says whether the file is the same.
    let registration = table[number]
    if registration.bits != 0, !probe(number, registration) {
      for former in table.removeAll(from: number) { latch(former, .closed) }
      return addFresh(source)
    }
    table.append(source, to: number)
    register(number)
  }

  private func probe(_ number: CInt, _ registration: RegistrationTable.Registration) -> Bool {
    let token = Self.token(number, registration.generation)
    return (try? change(number, from: registration.bits, to: registration.bits, token: token)) != nil
  }

  private func addFresh(_ source: RunLoop.DescriptorSource) {
    let number = source.descriptor
    table.append(source, to: number)
    table[number] = RegistrationTable.Registration(generation: takeGeneration())
    register(number)
  }

  func remove(_ source: RunLoop.DescriptorSource) {
    if !latched.isEmpty { latched.removeAll { $0.source === source } }
    if !alwaysReady.isEmpty { alwaysReady.removeAll { $0 === source } }
    let number = source.descriptor
    guard number >= 0, table.remove(source, from: number) else { return }
    register(number)
  }

  /// Makes sure that the number is the file still that was registered, and registers what it is now if not.
  func verify(_ source: RunLoop.DescriptorSource) {
    let number = source.descriptor
    guard number >= 0, table.hasSource(number), table[number].bits != 0, !probe(number, table[number]) else {
      return
    }
    table[number] = RegistrationTable.Registration(generation: takeGeneration())
    register(number)
  }

  /// Brings the kernel's view of the source's descriptor in line with what its sources want now.
  func refresh(_ source: RunLoop.DescriptorSource) {
    // One that the kernel had no means for is taken in anew.
    if table.hasSource(source.descriptor) { register(source.descriptor) } else { add(source) }
  }

  private func register(_ number: CInt) {
    let registration = table[number]
    let bits = bitsWanted(of: number)
    guard bits != registration.bits else { return }
    do throws(KernelError) {
      let token = Self.token(number, registration.generation)
      try change(number, from: registration.bits, to: bits, token: token)
      table[number].bits = bits
    } catch {
      lose(number, because: error)
    }
  }

  private func bitsWanted(of number: CInt) -> UInt32 {
    guard let only = unsafe table.onlySource(of: number) else {
      return Self.bits(wantedBy: table.sources(of: number))
    }
    // SAFETY: the table holds none that is not in its mode.
    return unsafe only._withUnsafeGuaranteedRef {
      Self.restricted($0.registeredBits, isExclusive: $0.isExclusive)
    }
  }

  /// Level-triggered if anybody wants that, exclusive if all do.
  private static func bits(wantedBy sources: [RunLoop.DescriptorSource]) -> UInt32 {
    var (bits, isLevel, isExclusive) = (UInt32(0), false, true)
    for source in sources where source.registeredBits != 0 {
      bits |= source.registeredBits
      isLevel = isLevel || source.trigger == .level
      isExclusive = isExclusive && source.isExclusive
    }
    if isLevel { bits &= ~EpollBits.edgeTriggered }
    return restricted(bits, isExclusive: isExclusive)
  }

  private static func restricted(_ asked: UInt32, isExclusive: Bool) -> UInt32 {
    var bits = asked
    // The kernel knows no exclusive wait for urgent data, nor for the half-closing of the peer (which is
    // readable as well).
    if bits & EpollBits.priority != 0 || !isExclusive { bits &= ~EpollBits.exclusive }
    if bits & EpollBits.exclusive != 0 { bits &= ~EpollBits.peerHangUp }
    return bits
  }

  private func change(_ number: CInt, from old: UInt32, to new: UInt32, token: UInt64) throws(KernelError) {
    let set = try open()
    if new == 0 {
      try set.remove(number)
    } else if old == 0 {
      try addOrTakeOver(number, bits: new, token: token, in: set)
    } else if (old | new) & EpollBits.exclusive != 0 {
      // The kernel does not modify exclusive registrations.
      try set.remove(number)
      try set.add(number, bits: new, token: token)
    } else {
      try set.modify(number, bits: new, token: token)
    }
  }

  private func addOrTakeOver(
    _ number: CInt, bits: UInt32, token: UInt64, in set: any WaitSet
  ) throws(KernelError) {
    do throws(KernelError) {
      try set.add(number, bits: bits, token: token)
    } catch {
      guard error == .exists else { throw error }
      try set.modify(number, bits: bits, token: token)
    }
  }

  /// The kernel does not know the registration or the descriptor any more.
  private func lose(_ number: CInt, because error: KernelError) {
    table[number].bits = 0
    for source in table.removeAll(from: number) {
      if error == .notPermitted, source.files == .alwaysReady {
        if !alwaysReady.contains(where: { $0 === source }) { alwaysReady.append(source) }
      } else if source.isValid, error == .badDescriptor || error == .notThere {
        latch(source, .closed)
      } else if source.isValid {
        // The kernel's means are used up, say: not the descriptor's end, and tried again when the interest is set. In
        // other modes it may be registered all the same, and is not to rest there.
        source.failure = RunLoop.DescriptorError(error, of: number)
        latch(source, .error)
      }
    }
  }

  func latch(_ source: RunLoop.DescriptorSource, _ readiness: RunLoop.Readiness) {
    if let index = latched.firstIndex(where: { $0.source === source }) {
      latched[index].readiness.formUnion(readiness)
    } else {
      latched.append((source, readiness))
    }
  }

  // MARK: alarms

  /// Lets waits end at a date of another clock.
  func setAlarm(on clock: RunLoop.TimerClock, at date: UInt64?) throws(KernelError) {
    try open().setAlarm(on: clock, at: date)
  }

  // MARK: looking

  /// Waits, and adds what concerns whom to the round.
  @inline(__always)
  func wait(_ limit: WaitLimit, into round: inout Round) {
    if mayBeReadyByItself { return waitBesideReady(limit, into: &round) }
    fillEvents(limit)
    for index in 0..<events.count {
      let (token, bits) = (events.token(at: index), events.bits(at: index))
      guard let source = unsafe onlySource(concernedBy: token) else {
        tellSeveral(token, bits, &round)
        continue
      }
      // SAFETY: the table holds none that is not in its mode.
      let readiness = unsafe source._withUnsafeGuaranteedRef {
        $0.relevant(RunLoop.Readiness(epollBits: bits))
      }
      if !readiness.isEmpty { unsafe round.append(source, readiness) }
    }
    if hasStaleRegistration { rebuild() }
  }

  @inline(__always)
  private func fillEvents(_ limit: WaitLimit) {
    if let set = unsafe borrowedKernelSet {
      unsafe set._withUnsafeGuaranteedRef { $0.wait(limit, into: &events) }
    } else if let kernelSet {
      kernelSet.wait(limit, into: &events)
    } else {
      events.removeAll()
    }
  }

  /// The source of the registration that an event is of, if there is one, and no other.
  @inline(__always)
  private func onlySource(concernedBy token: UInt64) -> Unmanaged<RunLoop.DescriptorSource>? {
    let number = CInt(truncatingIfNeeded: token)
    guard let source = unsafe table.onlySource(of: number),
      table[number].generation == UInt32(truncatingIfNeeded: token >> 32)
    else { return nil }
    return unsafe source
  }

  @inline(never)
  private func tellSeveral(_ token: UInt64, _ bits: UInt32, _ round: inout Round) {
    for source in sources(concernedBy: token) {
      let readiness = source.relevant(RunLoop.Readiness(epollBits: bits))
      if !readiness.isEmpty { unsafe round.append(Unmanaged.passUnretained(source), readiness) }
    }
  }

  /// The sources of the registration that an event is of; none, with a note, where that is a former one.
  private func sources(concernedBy token: UInt64) -> [RunLoop.DescriptorSource] {
    if token >= WaitToken.firstOwn {
      kernelSet?.noteRing(of: token)
      return []
    }
    let number = CInt(truncatingIfNeeded: token)
    let sources = table.sources(of: number)
    guard !sources.isEmpty, table[number].generation == UInt32(truncatingIfNeeded: token >> 32) else {
      hasStaleRegistration = true
      return []
    }
    return sources
  }

  /// The same where something is ready whatever the kernel says.
  @inline(never)
  private func waitBesideReady(_ limit: WaitLimit, into round: inout Round) {
    var waiting = latched
    latched.removeAll(keepingCapacity: true)
    for source in alwaysReady where !source.interest.isEmpty {
      unsafe round.append(Unmanaged.passUnretained(source), source.interest)
    }
    fillEvents(limit)
    for index in 0..<events.count {
      for source in sources(concernedBy: events.token(at: index)) {
        var readiness = source.relevant(RunLoop.Readiness(epollBits: events.bits(at: index)))
        guard !readiness.isEmpty else { continue }
        // An edge that was kept and a new one are told together.
        if let index = waiting.firstIndex(where: { $0.source === source }) {
          readiness.formUnion(waiting.remove(at: index).readiness)
        }
        unsafe round.append(Unmanaged.passUnretained(source), readiness)
      }
    }
    for entry in waiting { unsafe round.append(Unmanaged.passUnretained(entry.source), entry.readiness) }
    if hasStaleRegistration { rebuild() }
  }

  private func rebuild() {
    hasStaleRegistration = false
    let fresh = try? remake()
    // Without a descriptor to spare the old set's own is given up first: its registration would make the loop spin.
    kernelSet = nil
    kernelSet = fresh ?? (try? remake())
    for number in table.usedNumbers {
      table[number] = RegistrationTable.Registration(generation: takeGeneration())
      register(number)
    }
  }

  private func takeGeneration() -> UInt32 {
    defer {
      nextGeneration = nextGeneration == RegistrationTable.largestGeneration ? 1 : nextGeneration + 1
    }
    return nextGeneration
  }

  private static func token(_ number: CInt, _ generation: UInt32) -> UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: number))
  }
}
