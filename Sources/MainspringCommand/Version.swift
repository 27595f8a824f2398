/// The version of the program.
enum Version {
  /// Major, minor and patch, as in the tag of the release.
  static let current = "0.1.0"
}
