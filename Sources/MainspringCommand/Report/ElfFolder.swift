import LinuxKernel
import Symbols

/// The programs, libraries and debug files in a folder and the folders below.
enum ElfFolder {
  /// Deeper folders and more files than these are not gone through.
  private static let depthMax = 8
  private static let fileCountMax = 20_000

  /// The paths of those that have a build-id, by it: of several the one with debug information, else the first by name.
  static func files(in path: String) -> [BuildID: String] {
    var files: [BuildID: String] = [:]
    var withDebugInfo: Set<BuildID> = []
    var pending = [(path: path, depth: 0)]
    var count = 0
    while let (path, depth) = pending.popLast(), let folder = try? OpenFolder(path: path) {
      for name in names(in: folder) where count < fileCountMax {
        count += 1
        let inner = "\(path)/\(name)"
        // Neither links nor what would have to be waited for.
        guard folder.identity(of: name) != nil else {
          if depth < depthMax, (try? folder.folder(named: name)) != nil { pending.append((inner, depth + 1)) }
          continue
        }
        guard let file = try? ElfFile(path: inner), let buildID = file.buildID else { continue }
        if files[buildID] == nil || file.hasDebugInfo && !withDebugInfo.contains(buildID) {
          files[buildID] = inner
        }
        if file.hasDebugInfo { withDebugInfo.insert(buildID) }
      }
    }
    return files
  }

  private static func names(in folder: borrowing OpenFolder) -> [String] {
    var names: [String] = []
    try? folder.forEachName { names.append($0) }
    return names.sorted()
  }
}
