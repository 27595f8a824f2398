/// What is compared.
enum Side: String, Sendable, CaseIterable {
  /// CFRunLoop, and Foundation's classes over it.
  case coreFoundation = "cf"
  case mainspring

  /// The name for people.
  var name: String {
    switch self {
    case .coreFoundation: "CFRunLoop"
    case .mainspring: "Mainspring"
    }
  }
}
