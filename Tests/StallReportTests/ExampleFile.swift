import Foundation

/// The schema's example, `Fixtures/stall-report-1.json`, as the encoder writes it.
enum ExampleFile {
  static func bytes() throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/stall-report-1.json")))
  }
}

/// Every path of a JSON text, as `samples[].t_ms`, and the types of the values found there.
func paths(ofJSON bytes: [UInt8]) throws -> [String: Set<String>] {
  var found: [String: Set<String>] = [:]
  func walk(_ path: String, _ value: Any) {
    if !path.isEmpty { found[path, default: []].insert(typeName(value)) }
    for (key, member) in value as? [String: Any] ?? [:] {
      walk(path.isEmpty ? key : "\(path).\(key)", member)
    }
    for element in value as? [Any] ?? [] { walk("\(path)[]", element) }
  }
  walk("", try JSONSerialization.jsonObject(with: Data(bytes)))
  return found
}

private func typeName(_ value: Any) -> String {
  switch value {
  case is NSNull: "null"
  case is [Any]: "array"
  case is [String: Any]: "object"
  case is String: "string"
  // SAFETY: objCType is a string that ends in zero and lives as long as the program.
  case let number as NSNumber: unsafe number.objCType.pointee == 0x63 ? "bool" : "number"
  default: "?"
  }
}
