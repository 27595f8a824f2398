extension Report {
  /// An executable or library as it was mapped into the process.
  public struct Image: Sendable, Equatable {
    /// The path, or the name if the path is unknown.
    public var name: String
    /// The GNU build-id in hexadecimal digits.
    public var buildID: String?
    /// The lowest address.
    public var base: UInt64
    /// The address after the highest.
    public var end: UInt64
    /// What to add to an offset in the image to have an address of the file's own.
    public var textOffset: UInt64
    /// Whether its code belongs to the program and not to the system.
    public var isInApp: Bool

    /// An image mapped from `base` up to but without `end`.
    public init(
      name: String, buildID: String?, base: UInt64, end: UInt64, textOffset: UInt64 = 0, isInApp: Bool
    ) {
      self.name = name
      self.buildID = buildID
      self.base = base
      self.end = end
      self.textOffset = textOffset
      self.isInApp = isInApp
    }

    func encode(index: Int, to json: inout JSONWriter) {
      json.object { json in
        json.member("i", index)
        json.member("name", name)
        json.member("build_id", buildID)
        json.member("base", Hexadecimal.address(base))
        json.member("end", Hexadecimal.address(end))
        json.member("text_offset", Hexadecimal.address(textOffset))
        json.member("in_app", isInApp)
      }
    }
  }
}
