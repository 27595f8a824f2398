/// What the two sides of a connection say to each other: each packet begins with the version and the kind of what follows.
///
/// - *hello*, four bytes: the most bytes that the content of a message to me may have, the highest byte first. Each side
///   says it first of all, and once.
/// - *message*: its content, as the ports' coding has it.
/// - *goodbye*, nothing: there will be no more from me.
enum PacketFormat {
  static let version: UInt8 = 1
  static let headerByteCount = 2
  static let helloByteCount = 6

  /// The most bytes of a message that everybody takes, and which therefore need not wait for the other side's hello.
  static let assuredByteCount = 1024

  /// What a port may take.
  static let sizeLimits = assuredByteCount...262_144

  enum Kind: UInt8 {
    case hello = 0
    case message = 1
    case goodbye = 2
  }

  static func header(_ kind: Kind) -> [UInt8] { [version, kind.rawValue] }

  static func hello(sizeLimit: Int) -> [UInt8] {
    header(.hello) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sizeLimit >> $0) }
  }

  static func sizeLimit(ofHello content: [UInt8]) -> Int {
    content.reduce(0) { $0 << 8 | Int($1) }
  }
}
