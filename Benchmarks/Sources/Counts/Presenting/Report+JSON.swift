import Documents

extension Report {
  /// Everything, for tools.
  var json: String {
    JSON.object([
      ("isAcceptable", .bare("\(isAcceptable)")),
      ("seconds", .bare("\((duration / .seconds(1) * 10).rounded() / 10)")),
      ("unknownOperations", .array(unknown.map { .text($0) })),
      ("operations", .array(rows.map(Self.json))),
    ]).text(indent: "") + "\n"
  }

  private static func json(_ row: Row) -> JSON {
    .object(
      [("name", .text(row.operation.name)), ("what", .text(row.operation.what))]
        + row.figures.map { ($0.measure.rawValue, json($0, parts: row.parts($0.measure))) })
  }

  private static func json(_ figure: Figure, parts: [(name: String, each: Double)]) -> JSON {
    var members: [(String, JSON)] = [("each", .number(figure.each))]
    if let limit = figure.limit {
      members += [("limit", .bare("\(limit.number)")), ("reason", .text(limit.reason))]
    }
    if !parts.isEmpty { members.append(("of", .object(parts.map { ($0.name, .number($0.each)) }))) }
    let verdict =
      switch figure.verdict {
      case .within: "within"
      case .over: "over"
      case .wellBelow: "well below"
      case .noLimit: "no limit"
      }
    return .object(members + [("verdict", .text(verdict))])
  }
}
