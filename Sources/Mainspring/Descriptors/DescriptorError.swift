extension RunLoop {
  /// Why a descriptor source could not be added.
  public enum DescriptorError: Error, Hashable, Sendable {
    /// The number is not an open descriptor.
    case notOpen(CInt)
    /// A regular file, a folder or a device such as `/dev/null`, which is always ready; make the source with
    /// `files: .alwaysReady` to have it so.
    case notPollable(CInt)
    /// The source was invalidated before.
    case invalidated
    /// The loop's thread has ended.
    case loopEnded
  }
}

extension RunLoop.DescriptorError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notOpen(let number): "descriptor \(number) is not open"
    case .notPollable(let number):
      "descriptor \(number) is a file, a folder or a device that cannot be waited for; "
        + "use files: .alwaysReady to have it served in every pass"
    case .invalidated: "the source was invalidated before"
    case .loopEnded: "the loop's thread has ended"
    }
  }
}
