// Images, frames and stacks: tables whose entries refer to each other.

/// The frames' names, by which stacks refer to them, and where each frame is in its table.
struct FrameNames {
  private var indices: [String: Int] = [:]

  mutating func add(_ name: String, at index: Int) throws(Report.DecodingError) {
    guard indices.updateValue(index, forKey: name) == nil else { throw Report.DecodingError(.repeated(name)) }
  }

  /// The index of the frame that `json` names.
  func index(_ json: JSONValue) throws(Report.DecodingError) -> Int {
    let name = try String(json: json)
    guard let index = indices[name] else { throw Report.DecodingError(.noSuchFrame(name)) }
    return index
  }
}

extension Report.StackTable {
  typealias Failure = Report.DecodingError

  /// The tables of a report, and the names of its frames.
  static func read(_ report: JSONObject) throws(Failure) -> (Self, FrameNames) {
    let images = try report.list("images") { (json, index) throws(Failure) in
      try Report.Image(json, index: index)
    }
    var names = FrameNames()
    // A frame may refer to one behind it.
    _ = try report.list("frames") { (json, index) throws(Failure) in
      let name: String = try JSONObject(json).required("id")
      do throws(Failure) { try names.add(name, at: index) } catch { throw error.inside("id") }
    }
    let allNames = names
    let frames = try report.list("frames") { (json, _) throws(Failure) in
      try Report.Frame(json, imageCount: images.count, frames: allNames)
    }
    let stacks = try report.list("stacks") { (json, _) throws(Failure) in
      try json.elements(atMost: .stackFrames) { (name, _) throws(Failure) in try allNames.index(name) }
    }
    return (Self(images: images, frames: frames, stacks: stacks), allNames)
  }
}

extension Report.Image {
  init(_ json: JSONValue, index: Int) throws(Report.DecodingError) {
    let image = try JSONObject(json)
    if let number: Int = try image.known("i"), number != index {
      throw .malformed("\(number)", expected: "the image's place in the list, \(index)").inside("i")
    }
    self.init(
      name: try image.required("name"), buildID: try image.known("build_id"),
      base: try image.required("base", UInt64.init(address:)),
      end: try image.required("end", UInt64.init(address:)),
      textOffset: try image.address("text_offset") ?? 0,
      isInApp: try image.required("in_app"))
    if end < base { throw Report.DecodingError(.endsBeforeStart, at: "end") }
  }
}

extension Report.Frame {
  init(_ json: JSONValue, imageCount: Int, frames: FrameNames) throws(Report.DecodingError) {
    let frame = try JSONObject(json)
    let file: String? = try frame.known("file")
    let line: Int? = try frame.known("line")
    self.init(
      image: try frame.known("img") { (json) throws(Report.DecodingError) in
        try Int(json: json, of: "images", count: imageCount)
      }, offset: try frame.address("off"), symbol: try frame.known("sym"),
      // A line without a file, or a file without a line, is no place.
      location: file.flatMap { file in line.map { Report.SourceLocation(file: file, line: $0) } },
      isInApp: try frame.known("in_app") ?? false, kind: try frame.known("kind"))
    symbolOffset = try frame.address("sym_off")
    mangled = try frame.known("mangled")
    inlinedInto = try frame.known("inlined_into", frames.index)
  }
}

extension Report.Frame.Kind: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let word = try String(json: json)
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("threadbase", 1): self = .threadBase
    case ("loop", 1): self = .loop
    case ("libc", 1): self = .libc
    case ("runtime", 1): self = .runtime
    case ("signal", 1): self = .signal
    case ("monitor", 1): self = .monitor
    case ("phase", 2): self = .phase(Report.PhaseName(rawValue: String(parts[1])))
    case ("gap", 2):
      guard let count = Int(parts[1]), count >= 0, "\(count)" == parts[1] else { fallthrough }
      self = .gap(count)
    default: throw .unknownWord(word)
    }
  }
}

extension Int {
  /// The index of an entry of a table that has `count`.
  init(json: JSONValue, of table: String, count: Int) throws(Report.DecodingError) {
    self = try Int(json: json)
    guard (0..<count).contains(self) else {
      throw Report.DecodingError(.noSuchEntry(self, of: table, count: count))
    }
  }
}
