/// FNV-1a in 64 bits over the UTF-8 of some words: the same on every machine, in every build, for ever.
///
/// `h = 0xcbf29ce484222325`; for each byte `h = (h XOR byte) * 0x100000001b3` modulo 2^64. After each word
/// one more byte, 0xff, goes in: it is in no UTF-8, so that "ab", "c" and "a", "bc" differ.
package struct StableHash {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of `words`.
  package init(_ words: [String]) {
    for word in words {
      for byte in word.utf8 { mix(byte) }
      mix(0xff)
    }
  }

  /// The 64 bits as 16 hexadecimal digits.
  package var digits: String { Hexadecimal.digits(value, count: 16) }

  /// Both halves by exclusive or, as FNV's authors advise for 32 bits: 8 hexadecimal digits.
  package var shortDigits: String { Hexadecimal.digits(value >> 32 ^ value & 0xffff_ffff, count: 8) }

  private mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
