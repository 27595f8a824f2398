/// A report in an archive, by its name.
package struct ArchivedReport: Sendable, Hashable {
  /// The first eight digits of the report's identifier.
  package let idPrefix: String
  /// The folder that it is in: `2026-11-30`.
  package let day: String
  /// The name of its file.
  package let name: String
  /// The length of the file.
  package let byteCount: Int
  /// Whether the stall was still going on when it was written: a later state will have another name.
  package let isOngoing: Bool
}
