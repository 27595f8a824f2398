/// What is registered with the kernel for each descriptor number, in a table by the number: the kernel gives out the
/// smallest that are free.
///
/// Nearly every number has one source, which stands in the table itself; where there are several, they stand beside it.
/// Only on the loop's thread.
@safe struct RegistrationTable: ~Copyable {
  // SAFETY: the first `count` entries are initialized. A source that stands in one is kept by its mode, which takes it
  // out of here as it leaves.
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 0
  private var count = 0
  /// The sources of numbers that have several.
  private var shared: [CInt: [RunLoop.DescriptorSource]] = [:]
  /// How many numbers have a source.
  private(set) var usedCount = 0

  @unsafe private struct Entry {
    /// The number's only source; nil if it has none, or several.
    var source: Unmanaged<RunLoop.DescriptorSource>?
    var registration = Registration()
  }

  /// What the kernel was told.
  struct Registration {
    /// Tells the registrations of one number apart.
    var generation: UInt32 = 0
    /// The event bits, 0 while nothing is registered.
    var bits: UInt32 = 0
  }

  init() { unsafe entries = UnsafeMutablePointer.allocate(capacity: 1) }

  deinit { unsafe entries.deallocate() }

  var isEmpty: Bool { usedCount == 0 }

  @inline(__always)
  private func has(_ number: CInt) -> Bool { number >= 0 && Int(number) < count }

  @inline(__always)
  subscript(_ number: CInt) -> Registration {
    get { has(number) ? unsafe entries[Int(number)].registration : Registration() }
    set {
      makeRoom(for: number)
      unsafe entries[Int(number)].registration = newValue
    }
  }

  /// The source of a number that has one.
  @inline(__always)
  func onlySource(of number: CInt) -> Unmanaged<RunLoop.DescriptorSource>? {
    has(number) ? unsafe entries[Int(number)].source : nil
  }

  /// In the order of adding.
  func sources(of number: CInt) -> [RunLoop.DescriptorSource] {
    if let only = unsafe onlySource(of: number) { return unsafe [only.takeUnretainedValue()] }
    return shared.isEmpty ? [] : shared[number] ?? []
  }

  mutating func append(_ source: RunLoop.DescriptorSource, to number: CInt) {
    let present = sources(of: number)
    set(present + [source], of: number)
  }

  /// Says whether it was there.
  mutating func remove(_ source: RunLoop.DescriptorSource, from number: CInt) -> Bool {
    let present = sources(of: number)
    guard present.contains(where: { $0 === source }) else { return false }
    set(present.filter { $0 !== source }, of: number)
    return true
  }

  /// Takes all of a number's sources out.
  mutating func removeAll(from number: CInt) -> [RunLoop.DescriptorSource] {
    let present = sources(of: number)
    set([], of: number)
    return present
  }

  private mutating func set(_ sources: [RunLoop.DescriptorSource], of number: CInt) {
    makeRoom(for: number)
    let wasUsed = unsafe entries[Int(number)].source != nil || shared[number] != nil
    unsafe entries[Int(number)].source = sources.count == 1 ? Unmanaged.passUnretained(sources[0]) : nil
    if sources.count > 1 || !shared.isEmpty { shared[number] = sources.count > 1 ? sources : nil }
    usedCount += (sources.isEmpty ? 0 : 1) - (wasUsed ? 1 : 0)
  }

  /// The numbers that have sources.
  ///
  /// - Complexity: O(n) in the largest number.
  var usedNumbers: [CInt] { (0..<CInt(count)).filter { !sources(of: $0).isEmpty } }

  private mutating func makeRoom(for number: CInt) {
    precondition(number >= 0, "\(number) is no descriptor's number")
    let needed = Int(number) + 1
    if needed <= count { return }
    if needed > capacity {
      let newCapacity = max(16, needed, capacity * 2)
      let newEntries = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
      unsafe newEntries.moveInitialize(from: entries, count: count)
      unsafe entries.deallocate()
      unsafe entries = newEntries
      capacity = newCapacity
    }
    // No further than needed: memory that nobody has touched costs nothing.
    unsafe (entries + count).initialize(repeating: Entry(), count: needed - count)
    count = needed
  }
}
