/// One item of a message that was read: where its content is, and where the item behind it stands.
struct MessageItem {
  let kind: ItemKind
  /// What the lower bits of the first byte say.
  let detail: UInt8
  /// A number, the count of bytes, elements or pairs, or the bits of a floating-point number.
  let argument: UInt64
  /// Of bytes and text, where they begin in the message.
  let start: Int
  /// The index of the item behind this one and all that it holds.
  var next: Int
}
