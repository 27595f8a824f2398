/// Two worlds that are to do the same on every program.
package struct Comparison {
  private let names: (first: String, second: String)
  private let logs: (Program) -> (first: [Line], second: [Line])

  /// - Parameter logs: executes a program on both.
  package init(
    _ first: String, _ second: String, logs: @escaping (Program) -> (first: [Line], second: [Line])
  ) {
    names = (first, second)
    self.logs = logs
  }

  private enum Outcome { case same, different, differentAfterRescue }

  private func outcome(of program: Program) -> Outcome {
    let (first, second) = logs(program)
    if first == second { return .same }
    return (first + second).contains { $0.event == .rescue } ? .differentAfterRescue : .different
  }

  /// Where a program's logs part, with the smallest program that shows it; nil if they are the same.
  package func difference(on program: Program) -> String? {
    let outcome = outcome(of: program)
    if outcome == .same { return nil }
    // What is smaller is to differ for the same reason, and not because nothing is left that would end a run.
    let smallest = program.shrunk { self.outcome(of: $0) == outcome }
    let (first, second) = logs(smallest)
    let place = zip(first, second).prefix { $0 == $1 }.count
    let before = first[max(0, place - 12)..<place].map { "\n    \($0)" }.joined()
    return """
      \(smallest)
        line \(place), after\(before)
      \(names.first): \(place < first.count ? "\(first[place])" : "the end")
      \(names.second): \(place < second.count ? "\(second[place])" : "the end")
      """
  }

  /// The program and both logs, to read.
  package func description(of program: Program) -> String {
    let (first, second) = logs(program)
    return ["\(program)", "--- \(names.first)"].joined(separator: "\n")
      + first.map { "\n\($0)" }.joined() + "\n--- \(names.second)" + second.map { "\n\($0)" }.joined()
  }
}
