/// What a message may ask for.
enum MessageLimit {
  /// How deep arrays and maps may lie in each other. Each level is some calls deep on the stack of whoever reads, and no
  /// program's own message is near it.
  static let depth = 64
}
