enum Growths {
  static let all = timers + descriptors + otherModes + nesting

  private static let timerCounts = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
  private static let descriptorCounts = [10, 30, 100, 300, 1000, 3000, 9900]
  private static let fewCounts = [1, 2, 4, 8, 16]

  private static let timers = [
    ("timers-arm", "Arming a timer among as many", "w4a", "arm_ns"),
    ("timers-cancel", "Cancelling one", "w4a", "cancel_ns"),
    ("timers-fire", "Firing one when all are due", "w4f", Figures.first),
    ("timers-pass", "A pass while none is due", "w4p", Figures.middle),
  ].map { name, title, workload, key in
    Growth(
      name: name, title: title, what: "timers armed", sizes: timerCounts,
      lines: ["mainspring", "libev", "libuv", "cfrl"].map { lineOf($0, workload, key) })
  }

  private static let descriptors = [
    ("descriptors-event", "An event of one of 100 that are busy, with its read and write", "cpu_ns"),
    ("descriptors-add", "Adding a descriptor", "add_ns"),
  ].map { name, title, key in
    Growth(
      name: name, title: title, what: "descriptors", sizes: descriptorCounts,
      lines: ["mainspring", "raw", "libev", "libuv"].map { lineOf($0, "w5", key) })
  }

  private static let otherModes = [
    Growth(
      name: "other-blocks", title: "A pass, and a block posted and run", what: "blocks of another mode",
      sizes: [1, 10, 100, 1000, 10_000, 100_000],
      lines: ["mainspring", "cfrl"].flatMap { peer in
        [("a pass", "pass_ns"), ("a post", "post_ns")].map { what, key in
          Growth.Line(title: "\(peer), \(what)", peer: peer, workload: "other-blocks", key: key)
        }
      })
  ]

  private static let nesting = [
    Growth(
      name: "nested-runs", title: "A pass that is a run within others", what: "runs around it",
      sizes: fewCounts,
      lines: ["mainspring", "cfrl", "glib"].map { lineOf($0, "nested", Figures.middle) }),
    Growth(
      name: "common-modes", title: "A pass, and a timer put into the common modes",
      what: "further common modes", sizes: fewCounts,
      lines: ["mainspring", "cfrl"].flatMap { peer in
        [("a pass", Figures.middle), ("a timer", "change_ns")].map { what, key in
          Growth.Line(title: "\(peer), \(what)", peer: peer, workload: "modes", key: key)
        }
      }),
  ]

  private static func lineOf(_ peer: String, _ workload: String, _ key: String) -> Growth.Line {
    Growth.Line(title: peer, peer: peer, workload: workload, key: key)
  }
}
