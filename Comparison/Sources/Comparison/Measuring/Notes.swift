import CommandLineOptions

/// Where a side's process notes what it measures: standard output, a line each, at once, since the process may die of
/// what comes next.
struct Notes: Sendable {
  static let during = "during"

  func note(_ key: String, _ value: some Fact) { StandardStream.output.writeLine("\(key)=\(value.text)") }

  /// Says what is done from here on: if the process dies or hangs, of this.
  func begin(_ step: String) { note(Self.during, step) }
}

/// What can be noted.
protocol Fact {
  var text: String { get }
}

extension Int: Fact { var text: String { "\(self)" } }
extension Double: Fact { var text: String { "\(self)" } }
extension Bool: Fact { var text: String { "\(self)" } }
extension String: Fact { var text: String { self } }
extension Ending: Fact { var text: String { rawValue } }
