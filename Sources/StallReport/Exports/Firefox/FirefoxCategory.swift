/// Whose code a frame is: the Firefox Profiler paints frames by it, and adds up their time.
enum FirefoxCategory: Int, CaseIterable {
  /// The one that readers fall back to, which must be grey.
  case other
  case program
  case culprit
  case loop
  case runtime

  init(_ frame: Report.Frame, isCulprit: Bool) {
    switch frame.kind {
    case _ where isCulprit: self = .culprit
    case .loop, .phase: self = .loop
    case .libc, .runtime: self = .runtime
    case nil where frame.isInApp: self = .program
    default: self = .other
    }
  }

  private var name: String {
    switch self {
    case .other: "Other"
    case .program: "Program"
    case .culprit: "Culprit"
    case .loop: "Loop"
    case .runtime: "C library and runtime"
    }
  }

  /// One of the names of colours that the profiler knows.
  private var color: String {
    switch self {
    case .other: "grey"
    case .program: "blue"
    case .culprit: "red"
    case .loop: "green"
    case .runtime: "yellow"
    }
  }

  static func write(_ json: inout JSONWriter, _ category: Self) {
    json.object { json in
      json.member("name", category.name)
      json.member("color", category.color)
      json.member("subcategories", ["Other"])
    }
  }
}
