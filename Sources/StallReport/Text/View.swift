extension Report {
  /// What ``text(view:style:)`` shows of the evidence. The raw value is the word for command lines.
  public enum View: String, Sendable, CaseIterable {
    /// The stacks by weight: equal ones together, the heaviest branch first.
    case heavy
    /// The stacks in the order in which they were taken, each frame with the samples that it spans.
    case timeline
    /// The layout of Apple's crash reports, version 104: every thread, the registers, the images.
    case apple
  }
}
