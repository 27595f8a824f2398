/// A workload of one size.
struct Cell: Sendable, Hashable {
  let workload: String
  let size: Int
  /// Whether its system calls are counted by a tracer, which slows everything else down.
  let isTraced: Bool

  init(_ workload: String, _ size: Int, isTraced: Bool = false) {
    self.workload = workload
    self.size = size
    self.isTraced = isTraced
  }
}

extension Cell: CustomStringConvertible {
  var description: String { "\(workload) \(size)" + (isTraced ? " traced" : "") }
}

/// What else the machine does meanwhile.
enum Load: String, Sendable, CaseIterable {
  case idle
  /// One process that computes all the time, and is bound to no processor.
  case hog

  /// For heads of tables.
  var title: String {
    switch self {
    case .idle: "idle machine"
    case .hog: "with a hog"
    }
  }
}
