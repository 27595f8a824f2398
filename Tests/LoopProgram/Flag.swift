import Synchronization

/// Set once, from whatever thread.
final class Flag: Sendable {
  private let word = Atomic<Bool>(false)
  var isSet: Bool { word.load(ordering: .sequentiallyConsistent) }
  func set() { word.store(true, ordering: .sequentiallyConsistent) }
}
