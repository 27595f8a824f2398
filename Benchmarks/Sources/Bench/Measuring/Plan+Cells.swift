extension Plan {
  /// Everything that the tables and the goals tell of; `isLong` adds what takes long.
  static func whole(isLong: Bool = false) -> Plan {
    Plan(
      entries: waking + posting + timers + lateness(isLong: isLong) + descriptors + passes + memory + recorded
        + traced)
  }

  private static let libraries = ["libuv", "libev", "libevent", "glib"]
  /// Every loop, in every way of using it that is its own.
  private static let every =
    ["raw"] + libraries
    + [
      "cfrl", "cfrl-main", "foundation", "dispatch", "dispatch-swift", "mainspring", "mainspring-main",
      "mainspring-spin",
    ]
  /// Every loop once.
  private static let one = ["raw"] + libraries + ["cfrl", "foundation", "dispatch", "mainspring"]

  private static let waking = [
    Entry(cell: Cell("w1", 2000), peers: every + ["futex", "futex-spin"], runs: 3)
  ]

  private static let posting = [
    Entry(cell: Cell("w2p1", 50_000), peers: every + ["mainspring-port"], runs: 3),
    Entry(cell: Cell("w2p2", 50_000), peers: every + ["mainspring-port"], runs: 3),
    Entry(cell: Cell("w2s", 1500), peers: every + ["mainspring-port"], runs: 3),
    Entry(cell: Cell("w3", 30_000), peers: every + ["mainspring-port"]),
    Entry(cell: Cell("w3n", 30_000), peers: ["libuv", "libev"]),
  ]

  private static let timers =
    [1000, 10_000, 100_000, 1_000_000].map { Entry(cell: Cell("w4a", $0), peers: one) }
    + [Entry(cell: Cell("w4r", 10_000), peers: one)]
    + [1, 1000, 100_000].map { Entry(cell: Cell("w4p", $0), peers: one) }

  private static func lateness(isLong: Bool) -> [Entry] {
    let few = ["raw", "libev", "cfrl", "dispatch", "mainspring"]
    let long = isLong ? [Entry(cell: Cell("far", 5000), peers: ["raw", "mainspring"])] : []
    return [
      Entry(cell: Cell("w4b", 10_000), peers: one + ["mainspring-tol"]),
      Entry(cell: Cell("w4c", 300), peers: one),
      Entry(cell: Cell("far", 10), peers: few),
      Entry(cell: Cell("far", 100), peers: ["raw", "libev", "mainspring"]),
      Entry(cell: Cell("far", 1000), peers: ["raw", "mainspring"]),
    ] + long
  }

  private static let descriptors = ["w5", "w5e"].flatMap { workload in
    [100, 1000, 9900].map { Entry(cell: Cell(workload, $0), peers: one + inThreads) }
  }

  /// Where each call names a descriptor, like is compared with like.
  private static let inThreads = ["raw-thread", "mainspring-main"]

  private static let passes =
    ["w6o0", "w6o1", "w6o10"].map { Entry(cell: Cell($0, 20_000), peers: every + ["calls"]) }
    + [Entry(cell: Cell("w6d", 20_000), peers: one + inThreads)]
    + [
      Cell("other-blocks", 0), Cell("other-blocks", 1000), Cell("other-blocks", 100_000),
      Cell("other-sources", 0), Cell("other-sources", 100_000), Cell("other-observers", 0),
      Cell("other-observers", 100_000),
    ].map { Entry(cell: $0, peers: ["cfrl", "mainspring"]) }

  private static let memory = [
    Entry(cell: Cell("w7t", 100_000), peers: one, loads: [.idle], isOnce: true),
    Entry(cell: Cell("w7f", 9900), peers: one, loads: [.idle], isOnce: true),
    Entry(cell: Cell("oneloop", 300), peers: ["thread"] + one),
    Entry(
      cell: Cell("idle", 1000),
      peers: ["raw", "libev", "cfrl", "dispatch", "mainspring", "mainspring-main", "mainspring-spin"],
      isOnce: true),
  ]

  /// What a trace of the loop's own costs.
  private static let recorded = [("w1", 1000), ("w3", 20_000), ("w6o0", 10_000), ("w6o10", 10_000)].map {
    workload, size in
    Entry(cell: Cell(workload, size), peers: ["mainspring", "mainspring-trace"], runs: 3)
  }

  /// A tracer's counts do not depend on what else the machine does.
  private static let traced = [("w1", 500), ("w3", 1000), ("w4c", 100), ("w6o0", 1000)].map {
    workload, size in
    Entry(
      cell: Cell(workload, size, isTraced: true),
      peers: ["raw", "libuv", "libev", "cfrl", "dispatch-swift", "mainspring", "mainspring-main"],
      loads: [.idle], isOnce: true)
  }
}
