/// Finds the separate file that holds what was stripped from a program or library.
package struct DebugFileSearch {
  private let root: String

  /// - Parameter root: normally /usr/lib/debug.
  package init(root: String) { self.root = root }

  /// The first candidate that is of the same build and holds debug information or symbols; nil: none.
  package func debugFile(for file: ElfFile, path: String) -> ElfFile? {
    let buildID = file.buildID
    for candidate in candidates(buildID: buildID, debugLink: file.debugLink, path: path) {
      guard candidate != path, let found = try? ElfFile(path: candidate) else { continue }
      guard buildID == nil || found.buildID == nil || found.buildID == buildID else { continue }
      if found.hasDebugInfo || found.contents(ofSection: ".symtab") != nil { return found }
    }
    return nil
  }

  /// Where it may be, the likeliest first.
  package func candidates(buildID: BuildID?, debugLink: String?, path: String) -> [String] {
    var paths: [String] = []
    if let text = buildID?.description {
      paths.append("\(root)/.build-id/\(text.prefix(2))/\(text.dropFirst(2)).debug")
    }
    // A name with a slash would lead out of the directories below.
    if let debugLink, !debugLink.isEmpty, !debugLink.contains("/") {
      let directory = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
      paths += [
        "\(directory)/\(debugLink)", "\(directory)/.debug/\(debugLink)", "\(root)\(directory)/\(debugLink)",
      ]
    }
    return paths
  }
}
