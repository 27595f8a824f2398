import LinuxKernel

/// What is registered with the kernel for each descriptor number, in a table by the number: the kernel gives out the
/// smallest that are free.
///
/// Nearly every number has one source, which stands in the table itself; where there are several, they stand beside it.
/// Only on the loop's thread.
@safe struct RegistrationTable: ~Copyable {
  // SAFETY: the first `count` cells of both are initialized. A source that stands in one is kept by its mode, which
  // takes it out of here as it leaves.
  /// A number's only source; nil if it has none, or several.
  private var onlySources: UnsafeMutablePointer<Unmanaged<RunLoop.DescriptorSource>?>
  private var registrations: UnsafeMutablePointer<Registration>
  private var capacity = 0
  private var count = 0
  /// The sources of numbers that have several.
  private var shared: [CInt: [RunLoop.DescriptorSource]] = [:]
  /// How many numbers have a source.
  private(set) var usedCount = 0

  /// What the kernel was told, in four bytes.
  struct Registration: Equatable {
    private var word: UInt32 = 0

    /// - Parameter generation: tells the registrations of one number apart; at most `largestGeneration`.
    init(generation: UInt32 = 0) { word = generation << Self.bitCount }

    @inline(__always)
    var generation: UInt32 { word >> Self.bitCount }

    /// The event bits, 0 while nothing is registered.
    var bits: UInt32 {
      get {
        var bits = word & 7
        for (index, bit) in Self.highBits.enumerated() where word & (8 << UInt32(index)) != 0 { bits |= bit }
        return bits
      }
      set {
        var low = newValue & 7
        for (index, bit) in Self.highBits.enumerated() where newValue & bit != 0 { low |= 8 << UInt32(index) }
        word = generation << Self.bitCount | low
      }
    }

    /// Those that may be asked for and are not among the lowest three, which are read, priority and write.
    private static let highBits = [EpollBits.peerHangUp, EpollBits.exclusive, EpollBits.edgeTriggered]
    static let bitCount: UInt32 = 6
  }

  static let largestGeneration = UInt32.max >> Registration.bitCount

  init() {
    unsafe onlySources = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe registrations = UnsafeMutablePointer.allocate(capacity: 1)
  }

  deinit {
    unsafe onlySources.deallocate()
    unsafe registrations.deallocate()
  }

  var isEmpty: Bool { usedCount == 0 }

  @inline(__always)
  private func has(_ number: CInt) -> Bool { number >= 0 && Int(number) < count }

  @inline(__always)
  subscript(_ number: CInt) -> Registration {
    get { has(number) ? unsafe registrations[Int(number)] : Registration() }
    set {
      makeRoom(for: number)
      unsafe registrations[Int(number)] = newValue
    }
  }

  /// The source of a number that has one.
  @inline(__always)
  func onlySource(of number: CInt) -> Unmanaged<RunLoop.DescriptorSource>? {
    has(number) ? unsafe onlySources[Int(number)] : nil
  }

  /// In the order of adding.
  func sources(of number: CInt) -> [RunLoop.DescriptorSource] {
    if let only = unsafe onlySource(of: number) { return unsafe [only.takeUnretainedValue()] }
    return shared.isEmpty ? [] : shared[number] ?? []
  }

  /// Whether the number has a source.
  @inline(__always)
  func hasSource(_ number: CInt) -> Bool {
    unsafe onlySource(of: number) != nil || (!shared.isEmpty && shared[number] != nil)
  }

  mutating func append(_ source: RunLoop.DescriptorSource, to number: CInt) {
    guard hasSource(number) else {
      makeRoom(for: number)
      unsafe onlySources[Int(number)] = Unmanaged.passUnretained(source)
      usedCount += 1
      return
    }
    let present = sources(of: number)
    set(present + [source], of: number)
  }

  /// Says whether it was there.
  mutating func remove(_ source: RunLoop.DescriptorSource, from number: CInt) -> Bool {
    if let only = unsafe onlySource(of: number) {
      guard unsafe only.toOpaque() == Unmanaged.passUnretained(source).toOpaque() else { return false }
      unsafe onlySources[Int(number)] = nil
      usedCount -= 1
      return true
    }
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
    let wasUsed = unsafe onlySources[Int(number)] != nil || shared[number] != nil
    unsafe onlySources[Int(number)] = sources.count == 1 ? Unmanaged.passUnretained(sources[0]) : nil
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
      capacity = max(16, needed, capacity * 2)
      unsafe Self.enlarge(&onlySources, from: count, to: capacity)
      unsafe Self.enlarge(&registrations, from: count, to: capacity)
    }
    // No further than needed: memory that nobody has touched costs nothing.
    unsafe (onlySources + count).initialize(repeating: nil, count: needed - count)
    unsafe (registrations + count).initialize(repeating: Registration(), count: needed - count)
    count = needed
  }

  private static func enlarge<Cell>(
    _ cells: inout UnsafeMutablePointer<Cell>, from count: Int, to capacity: Int
  ) {
    let larger = UnsafeMutablePointer<Cell>.allocate(capacity: capacity)
    unsafe larger.moveInitialize(from: cells, count: count)
    unsafe cells.deallocate()
    unsafe cells = unsafe larger
  }
}
