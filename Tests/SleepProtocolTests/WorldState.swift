import Mainspring

/// Everything that decides what can happen from here on, packed into 32 bytes.
///
/// The states themselves are kept and compared, not hashes of them: nothing is missed by a collision.
struct WorldState: Equatable {
  /// The sleep word below, the door word above.
  private var words: UInt64 = 0
  /// The local state of each actor, 16 bits each, a number that `LocalStates` gave.
  private var locals: UInt64 = 0
  /// The store buffer of each actor, 16 bits each: two stores of 8 bits, the older one below; zero is none.
  private var buffers: UInt64 = 0
  /// The inbox, the kernel, and what the properties need to remember.
  private var rest: UInt64 = 0

  static let actorsMax = 4

  var hash: UInt64 {
    var mix = words &* 0x9E37_79B9_7F4A_7C15
    mix = (mix ^ (mix >> 29) ^ locals) &* 0xBF58_476D_1CE4_E5B9
    mix = (mix ^ (mix >> 32) ^ buffers) &* 0x94D0_49BB_1331_11EB
    mix = (mix ^ (mix >> 29) ^ rest) &* 0x9E37_79B9_7F4A_7C15
    return mix ^ (mix >> 32)
  }
}

extension WorldState {
  subscript(word: BellWord) -> UInt32 {
    get { UInt32(truncatingIfNeeded: word == .sleep ? words : words >> 32) }
    set {
      switch word {
      case .sleep: words = words & 0xFFFF_FFFF_0000_0000 | UInt64(newValue)
      case .door: words = words & 0xFFFF_FFFF | UInt64(newValue) << 32
      }
    }
  }

  func local(of actor: Int) -> Int { Int(truncatingIfNeeded: locals &>> UInt64(actor &* 16) & 0xFFFF) }

  mutating func setLocal(of actor: Int, _ local: Int) {
    precondition(local <= 0xFFFF, "local state \(local) does not fit")
    let shift = UInt64(actor &* 16)
    locals = locals & ~(0xFFFF &<< shift) | UInt64(local) &<< shift
  }
}

/// The store buffers, first in, first out.
extension WorldState {
  func buffer(of actor: Int) -> UInt64 { buffers &>> UInt64(actor &* 16) & 0xFFFF }

  var allBuffersAreEmpty: Bool { buffers == 0 }

  func bufferIsFull(of actor: Int) -> Bool { buffer(of: actor) > 0xFF }

  mutating func buffer(_ store: UInt8, of actor: Int) {
    precondition(!bufferIsFull(of: actor), "store buffer of actor \(actor) is full")
    let shift = UInt64(actor &* 16) &+ (buffer(of: actor) == 0 ? 0 : 8)
    buffers |= UInt64(store) &<< shift
  }

  /// Takes out the oldest store.
  mutating func popStore(of actor: Int) -> UInt8 {
    let content = buffer(of: actor)
    let shift = UInt64(actor &* 16)
    buffers = buffers & ~(0xFFFF &<< shift) | (content >> 8) &<< shift
    return UInt8(truncatingIfNeeded: content)
  }
}

extension WorldState {
  /// What became of an entry.
  enum Entry: UInt64 {
    case unborn
    /// In the inbox.
    case posted
    /// Taken over by the loop, for a mode that has not come yet.
    case held
    case run, released, refused
  }

  /// Where the loop is with respect to the kernel.
  enum Waiting: UInt64 { case no, blocked, woken }

  /// Why the ring that a poster is about to do would be needless, or that it would not be.
  enum Claim: UInt64 { case none, due, second, unconcerned, loopIsUp }

  private func bits(_ offset: UInt64, _ count: UInt64) -> UInt64 { rest &>> offset & ((1 &<< count) &- 1) }

  private mutating func setBits(_ offset: UInt64, _ count: UInt64, _ value: UInt64) {
    rest = rest & ~(((1 &<< count) &- 1) &<< offset) | value &<< offset
  }

  /// The entry of poster `poster`, which is 1 or more.
  func entry(of poster: Int) -> Entry { Entry(rawValue: bits(UInt64(poster &* 3), 3))! }
  mutating func setEntry(of poster: Int, _ entry: Entry) { setBits(UInt64(poster &* 3), 3, entry.rawValue) }

  func claim(of poster: Int) -> Claim { Claim(rawValue: bits(16 &+ UInt64(poster &* 3), 3))! }
  mutating func setClaim(of poster: Int, _ claim: Claim) {
    setBits(16 &+ UInt64(poster &* 3), 3, claim.rawValue)
  }

  var waiting: Waiting {
    get { Waiting(rawValue: bits(32, 2))! }
    set { setBits(32, 2, newValue.rawValue) }
  }
  /// Whether the wait set of that mode has an edge that was not consumed.
  func hasEdge(_ mode: Sleep.Mode) -> Bool { bits(34 &+ UInt64(mode.rawValue), 1) != 0 }
  mutating func setEdge(_ mode: Sleep.Mode, _ edge: Bool) {
    setBits(34 &+ UInt64(mode.rawValue), 1, edge ? 1 : 0)
  }
  var inboxIsClosed: Bool {
    get { bits(36, 1) != 0 }
    set { setBits(36, 1, newValue ? 1 : 0) }
  }
  var descriptorIsClosed: Bool {
    get { bits(37, 1) != 0 }
    set { setBits(37, 1, newValue ? 1 : 0) }
  }

  /// How many posters claimed the sleep that was announced last; two stands for more.
  var claims: UInt64 {
    get { bits(38, 2) }
    set { setBits(38, 2, min(newValue, 2)) }
  }
  /// Whether the loop has announced a sleep and not yet started the pass after it.
  var sleepIsInForce: Bool {
    get { bits(40, 1) != 0 }
    set { setBits(40, 1, newValue ? 1 : 0) }
  }
  /// Whether the sleep had been claimed when the loop looked.
  var wasClaimedAtNotice: Bool {
    get { bits(41, 1) != 0 }
    set { setBits(41, 1, newValue ? 1 : 0) }
  }
}
