import Foundation

/// A fault that is planted against a rule, as a record in Tests/Mutants says it.
struct Fault {
  let rule: String
  let name: String
  /// What an engineer might have done wrong, in a sentence.
  let sentence: String
  let change: Change

  enum Change {
    /// A text of a file under Sources that stands for another.
    case planted(Edit)
    /// The same fault as another rule's, to be killed by the tests of this one, too.
    case same(rule: String, name: String)
  }

  struct Edit {
    enum Kind: String { case expression, statements }
    let kind: Kind
    /// Under Sources.
    let file: String
    /// Found exactly once in the file, or nil; the old text is the first one behind it.
    let anchor: String?
    let old: String
    let new: String
  }

  var title: String { "\(rule) \(name)" }
}

/// What is wrong with a record.
struct RecordError: Error, CustomStringConvertible {
  let description: String
}

extension Fault {
  /// The records of a folder: a file a rule, `M26.txt` or `CF31.txt`, with a record a fault.
  ///
  ///     [removed-source] Mainspring/Pass/Pass+Sources.swift, expression
  ///     A source that an earlier callout removed is performed all the same.
  ///     @ func performSources
  ///     - run.view.includes(source)
  ///     + true
  ///
  /// or, for a fault of another rule that this one must notice as well, `[order-turned] as M41 order-turned` alone.
  /// Of the texts white space does not matter. Lines that begin with `#` are comments.
  static func all(in folder: URL) throws -> [Fault] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".txt")
    }
    return try names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }.flatMap { name in
      let stem = String(name.dropLast(4))
      let rule = stem.hasPrefix("CF") ? "CF " + stem.dropFirst(2) : stem
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return try records(of: text).map { try parse($0, rule: rule, file: name) }
    }
  }

  private static func records(of text: String) -> [[String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.filter { !$0.hasPrefix("#") }.split { $0.allSatisfy(\.isWhitespace) }.map(Array.init)
  }

  private static func parse(_ lines: [String], rule: String, file: String) throws -> Fault {
    let fail = { (what: String) in RecordError(description: "\(file): \(what): \(lines[0])") }
    guard let match = lines[0].wholeMatch(of: #/\[([^\]]+)\] (.+)/#) else { throw fail("not understood") }
    let (name, rest) = (String(match.1), String(match.2))
    if let same = rest.wholeMatch(of: #/as (M\d+|CF \d+) (\S+)/#) {
      return Fault(
        rule: rule, name: name, sentence: lines.dropFirst().joined(separator: " "),
        change: .same(rule: String(same.1), name: String(same.2)))
    }
    guard let place = rest.wholeMatch(of: #/(\S+), (expression|statements)/#) else {
      throw fail("no file and kind")
    }
    func text(_ mark: String) -> String {
      lines.dropFirst().filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
        .joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let marks = ["-", "+", "@"]
    let sentence = lines.dropFirst().filter { line in !marks.contains { line.hasPrefix($0) } }
    let anchor = text("@")
    let edit = Edit(
      kind: Edit.Kind(rawValue: String(place.2))!, file: String(place.1),
      anchor: anchor.isEmpty ? nil : anchor,
      old: text("-"), new: text("+"))
    if sentence.isEmpty { throw fail("no sentence") }
    if edit.old.isEmpty { throw fail("no old text") }
    if edit.kind == .expression, edit.new.isEmpty { throw fail("no new text") }
    return Fault(rule: rule, name: name, sentence: sentence.joined(separator: " "), change: .planted(edit))
  }
}
