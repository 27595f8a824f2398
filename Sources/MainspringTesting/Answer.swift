import LinuxKernel

/// What somebody awaits and several may give: the first is heard.
package final class Answer<Value: Sendable>: Sendable {
  private let continuation = Locked<CheckedContinuation<Value, any Error>?>(nil)

  package init() {}

  /// Begins what will give the answer, and awaits it.
  package func awaited(
    isolation: isolated (any Actor)? = #isolation, _ begin: () throws -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation.withLock { $0 = continuation }
      do { try begin() } catch { give(.failure(error)) }
    }
  }

  package func give(_ result: Result<Value, any Error>) {
    continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }?.resume(with: result)
  }
}
