/// The eight kinds of items in CBOR (RFC 8949), as the upper three bits of an item's first byte.
enum ItemKind: UInt8 {
  case unsigned = 0
  /// Minus one minus the argument.
  case negative = 1
  case bytes = 2
  case text = 3
  case array = 4
  case map = 5
  /// Not part of what is spoken here.
  case tag = 6
  /// Truth, nothing, and numbers with a fraction.
  case simple = 7
}

/// What the lower five bits of an item's first byte say where the item is simple.
enum SimpleItem {
  static let no: UInt8 = 20
  static let yes: UInt8 = 21
  static let null: UInt8 = 22
  static let undefined: UInt8 = 23
  static let half: UInt8 = 25
  static let float: UInt8 = 26
  static let double: UInt8 = 27
}
