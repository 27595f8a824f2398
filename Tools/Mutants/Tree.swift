import Foundation

/// A copy of the tree with every fault in it, built once.
struct Tree {
  let original: URL
  let copy: URL

  /// The targets of the tests that are run: nothing else is built.
  let testTargets: Set<String>

  /// Brings the copy up to date; a file that stays as it was is not touched, so that the build takes the rest over.
  ///
  /// - Returns: what does not fit any more.
  func plant(_ faults: [(number: Int, edit: Fault.Edit, title: String)]) throws -> [String] {
    var complaints: [String] = []
    var files: [String: Planting] = [:]
    for fault in faults {
      let path = "Sources/\(fault.edit.file)"
      if files[path] == nil {
        guard let text = try? String(contentsOf: original.appendingPathComponent(path), encoding: .utf8)
        else {
          complaints.append("stale: \(fault.title): there is no \(path)")
          continue
        }
        files[path] = Planting(text, in: path.hasSuffix(".c") ? .c : .swift)
      }
      if let wrong = files[path]!.plant(fault.edit, as: fault.number) {
        complaints.append("stale: \(fault.title): \(path): \(wrong)")
      }
    }
    guard complaints.isEmpty else { return complaints }
    var contents = files.mapValues { Data($0.result.utf8) }
    for path in files.keys where path.hasSuffix(".swift") {
      let target = path.split(separator: "/").prefix(2).joined(separator: "/")
      contents["\(target)/Planted.swift"] = Data(Planting.support.utf8)
    }
    try copyEverything(replacing: contents)
    return []
  }

  private func copyEverything(replacing contents: [String: Data]) throws {
    var contents = contents
    let manifest = try String(contentsOf: original.appendingPathComponent("Package.swift"), encoding: .utf8)
    contents["Package.swift"] = Data(Self.lean(manifest, testTargets).utf8)
    for path in ["Sources", "Tests"].flatMap(files) where contents[path] == nil {
      contents[path] = try Data(contentsOf: original.appendingPathComponent(path))
    }
    for (path, data) in contents {
      let place = copy.appendingPathComponent(path)
      if let present = try? Data(contentsOf: place), present == data { continue }
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: place)
    }
    for path in ["Sources", "Tests"].flatMap({ files(under: $0, of: copy) }) where contents[path] == nil {
      try FileManager.default.removeItem(at: copy.appendingPathComponent(path))
    }
  }

  /// The manifest with the targets alone that the tests need, and with warnings that are none but warnings: what a
  /// fault leaves unused is not the point here.
  private static func lean(_ manifest: String, _ testTargets: Set<String>) -> String {
    manifest.replacingOccurrences(of: ".treatAllWarnings(as: .error),", with: "") + """

      var needed: Set<String> = [\(testTargets.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]
      var reached = 0
      while reached < needed.count {
        reached = needed.count
        for target in package.targets where needed.contains(target.name) {
          for dependency in target.dependencies {
            if case .byNameItem(let name, _) = dependency { needed.insert(name) }
            if case .targetItem(let name, _) = dependency { needed.insert(name) }
          }
        }
      }
      package.targets.removeAll { !needed.contains($0.name) }
      package.products = []

      """
  }

  private func files(under folder: String) -> [String] { files(under: folder, of: original) }

  private func files(under folder: String, of root: URL) -> [String] {
    let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      let place = root.appendingPathComponent(path).path
      return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) && !isFolder.boolValue
    }
  }

  /// Builds, and gives the test bundle; nil if it does not build.
  func build(log: URL) throws -> URL? {
    let arguments = ["build", "--build-tests", "--package-path", copy.path]
    let outcome = try launch("swift", arguments, log: log)
    guard outcome == .exited(0) else { return nil }
    let folder = copy.appendingPathComponent(".build/debug")
    let bundles = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".xctest")
    }
    return bundles.first.map { folder.appendingPathComponent($0) }
  }
}
