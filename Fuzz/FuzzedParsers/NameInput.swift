import Symbols

/// A byte for the kind of name, and the name.
enum NameInput {
  private static let starts = ["$s", "_Z", "$S", "_T0", "_$s", ""]

  static func read(_ input: inout InputBytes) {
    let start = starts[Int(input.byte()) % starts.count]
    var demangler = Demangler()
    _ = demangler.name(for: start + String(decoding: input.end(), as: UTF8.self))
  }
}
