/// One change, as inotify tells it.
package struct InotifyEvent: Hashable, Sendable {
  /// Which watch it belongs to; -1 for what concerns all.
  package let watch: CInt
  package let bits: UInt32
  /// What the two halves of a move have in common; 0 otherwise.
  package let cookie: UInt32
  /// The name in the watched folder, without the zero bytes that fill it up; empty if the watched file itself is meant.
  package let name: [UInt8]

  package init(watch: CInt, bits: UInt32, cookie: UInt32 = 0, name: [UInt8] = []) {
    self.watch = watch
    self.bits = bits
    self.cookie = cookie
    self.name = name
  }

  /// Takes the kernel's answer apart. What is cut short, or longer than it can be, ends it: nothing is read beyond the
  /// bytes given.
  package static func parse(_ bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
    var events: [InotifyEvent] = []
    var rest = bytes
    while rest.count >= headLength {
      let (watch, bits, cookie, nameLength) = (
        word(0, of: rest), word(1, of: rest), word(2, of: rest), word(3, of: rest)
      )
      rest = rest.dropFirst(headLength)
      guard nameLength <= UInt32(clamping: rest.count) else { break }
      let name = rest.prefix(Int(nameLength)).prefix { $0 != 0 }
      rest = rest.dropFirst(Int(nameLength))
      events.append(
        InotifyEvent(watch: CInt(bitPattern: watch), bits: bits, cookie: cookie, name: Array(name)))
    }
    return events
  }

  /// Four words, and then the name.
  private static let headLength = 16

  /// The n-th word, in this machine's order of bytes.
  private static func word(_ index: Int, of bytes: ArraySlice<UInt8>) -> UInt32 {
    let start = bytes.startIndex + index * 4
    return UInt32(littleEndian: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) })
  }
}
