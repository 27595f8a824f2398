extension Report {
  /// A place in source text, as `#fileID` and `#line` give it.
  public struct SourceLocation: Sendable, Hashable, JSONEncodable, CustomStringConvertible {
    /// The file, with as much of its path as is known.
    public var file: String
    /// The line, counted from 1.
    public var line: Int

    /// The place at this line of this file.
    public init(file: String, line: Int) {
      self.file = file
      self.line = line
    }

    /// The file's last path component and the line: `Thumbs.swift:88`.
    public var description: String {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      return "\(name):\(line)"
    }

    public func encode(to json: inout JSONWriter) {
      json.object { json in
        json.member("file", file)
        json.member("line", line)
      }
    }
  }
}
