extension FirefoxTables {
  /// The kind of a resource that is a library.
  private static let library = 1

  func write(to json: inout JSONWriter) {
    let nothing = frameRows.map { _ in Int?.none }
    json.table("frameTable", rows: frameRows.count) { json in
      json.member("address", frameRows.map(\.address))
      json.member("inlineDepth", frameRows.map(\.inlineDepth))
      json.member("category", frameRows.map(\.category.rawValue))
      json.member("subcategory", frameRows.map { _ in 0 })
      json.member("func", frameRows.map(\.function))
      json.member("nativeSymbol", nothing)
      json.member("innerWindowID", frameRows.map { _ in 0 })
      json.member("implementation", nothing)
      json.member("line", frameRows.map(\.line))
      json.member("column", nothing)
    }
    let functions = functions.entries
    json.table("funcTable", rows: functions.count) { json in
      json.member("isJS", functions.map { _ in false })
      json.member("relevantForJS", functions.map { _ in false })
      json.member("name", functions.map(\.name))
      json.member("resource", functions.map(\.resource))
      json.member("fileName", functions.map(\.file))
      json.member("lineNumber", functions.map { _ in Int?.none })
      json.member("columnNumber", functions.map { _ in Int?.none })
    }
    json.table("resourceTable", rows: resourceNames.count) { json in
      json.member("lib", resources.entries)
      json.member("name", resourceNames)
      json.member("host", resourceNames.map { _ in Int?.none })
      json.member("type", resourceNames.map { _ in Self.library })
    }
    let stacks = stacks.entries
    json.table("stackTable", rows: stacks.count) { json in
      json.member("frame", stacks.map(\.frame))
      json.member("category", stacks.map { frameRows[$0.frame].category.rawValue })
      json.member("subcategory", stacks.map { _ in 0 })
      json.member("prefix", stacks.map(\.prefix))
    }
    json.table("nativeSymbols", rows: 0) { json in
      for column in ["libIndex", "address", "name", "functionSize"] { json.member(column, [Int]()) }
    }
    json.member("stringArray", strings.entries)
  }
}

extension JSONWriter {
  /// A table written column by column, with its length.
  fileprivate mutating func table(_ name: String, rows: Int, _ columns: (inout JSONWriter) -> Void) {
    member(name) { json in
      json.object { json in
        columns(&json)
        json.member("length", rows)
      }
    }
  }
}
