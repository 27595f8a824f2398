import LinuxKernel
import StallReport
import Symbols

/// Names functions from the debug files in a folder, which are found by build-id, wherever in it they are.
struct SymbolFolder {
  private let path: String
  private var demangler = Demangler()
  /// What is known of a build; nil inside: there is no file of it.
  private var objects: [String: ObjectSymbols?] = [:]
  /// The files that were found by going through the folder, by build-id; nil: not gone through yet.
  private var files: [BuildID: String]?

  /// - Throws: If there is no such folder.
  init(path: String) throws(Failure) {
    do throws(KernelError) {
      _ = try OpenFolder(path: path)
    } catch {
      throw Failure(reason: "\(path): \(error)")
    }
    self.path = path
  }

  /// Names those frames of a report that have no name, and makes its fingerprint anew if there were any.
  ///
  /// A frame becomes several where functions were inlined.
  mutating func nameFrames(of report: inout Report) {
    let table = report.stacks
    var frames: [Report.Frame] = []
    // Where the functions of each frame of the old table are in the new one.
    var places: [Range<Int>] = []
    for frame in table.frames {
      let functions = functions(at: frame, in: table.images)
      frames += functions.isEmpty ? [frame] : functions
      places.append((places.last?.upperBound ?? 0)..<frames.count)
    }
    guard frames != table.frames else { return }
    for index in frames.indices {
      frames[index].inlinedInto = frames[index].inlinedInto.map { places[$0].upperBound - 1 }
    }
    report.stacks = Report.StackTable(
      images: table.images, frames: frames, stacks: table.stacks.map { $0.flatMap { places[$0] } })
    // Its culprit is an index, and its words may be addresses.
    if report.fingerprint != nil { report.computeFingerprint() }
  }

  /// The functions at a frame without a name, innermost first; none if it has one, or none is found.
  private mutating func functions(at frame: Report.Frame, in images: [Report.Image]) -> [Report.Frame] {
    guard frame.symbol == nil, let image = frame.image, let offset = frame.offset,
      let buildID = images[image].buildID, let object = object(ofBuild: buildID)
    else { return [] }
    let functions = object.frames(atOffset: offset)
    guard functions.contains(where: { $0.name != nil }) else { return [] }
    return functions.map { function in
      let name = function.name.map { demangler.name(for: $0) }
      // Line 0 is the compiler's mark for code that stands nowhere.
      let location = function.path.flatMap { path in
        function.line > 0 ? Report.SourceLocation(file: path, line: function.line) : nil
      }
      var named = Report.Frame(
        image: image, offset: offset, mangled: function.name, demangled: name, location: location, in: images)
      named.symbolOffset = function.functionOffset
      return named
    }
  }

  private mutating func object(ofBuild text: String) -> ObjectSymbols? {
    if let known = objects[text] { return known }
    let found = BuildID(hexadecimal: text).flatMap { file(ofBuild: $0) }
    let object = found.map { ObjectSymbols($0.file, path: $0.path, debugRoot: path) }
    objects[text] = .some(object)
    return object
  }

  /// First where debuggers look for it, then anywhere.
  private mutating func file(ofBuild buildID: BuildID) -> (file: ElfFile, path: String)? {
    let usual = DebugFileSearch(root: path).candidates(buildID: buildID, debugLink: nil, path: "")
    for candidate in usual {
      if let file = try? ElfFile(path: candidate), file.buildID == buildID { return (file, candidate) }
    }
    if files == nil { files = ElfFolder.files(in: path) }
    guard let other = files?[buildID], let file = try? ElfFile(path: other) else { return nil }
    return (file, other)
  }
}

extension BuildID {
  /// The build-id of these digits, or `nil` if they are none. It becomes a part of paths: nothing else goes in.
  fileprivate init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2), (4...128).contains(digits.count)
    else {
      return nil
    }
    self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
