/// The goals, in the order of the workloads.
enum Goals {
  static let all = waking + posting + timers + lateness + descriptors + passes + others + memory + lives

  private static let ours = "mainspring"

  private static func figure(_ key: String, _ cell: Cell, of peer: String = ours) -> Amount {
    .figure(key, cell, peer: peer)
  }

  /// Ours is at most so many times a peer's.
  private static func goal(
    _ workload: String, _ text: String, _ key: String, _ cell: Cell, atMost factor: Double = 1,
    times peer: String, plus: Double = 0, ours: String = ours, unit: Unit = .nanoseconds
  ) -> Goal {
    Goal(
      workload: workload, text: text, ours: figure(key, cell, of: ours),
      limit: Goal.Limit(amount: figure(key, cell, of: peer), factor: factor, plus: plus), unit: unit)
  }

  /// Ours is at most so much.
  private static func goal(
    _ workload: String, _ text: String, _ key: String, _ cell: Cell, atMost limit: Double,
    ours: String = ours, unit: Unit = .nanoseconds
  ) -> Goal {
    Goal(
      workload: workload, text: text, ours: figure(key, cell, of: ours),
      limit: Goal.Limit(amount: .constant(limit)), unit: unit)
  }

  private static let waking = [
    goal(
      "W1", "system calls a round trip ≤ 4", "calls", Cell("w1", 500, isTraced: true), atMost: 4,
      unit: .count),
    goal("W1", "CPU a round trip ≤ raw", "cpu_ns", Cell("w1", 2000), times: "raw"),
    goal(
      "W1", "spinning: a round trip ≤ dispatch", Figures.middle, Cell("w1", 2000), times: "dispatch",
      ours: "mainspring-spin"),
    goal(
      "W1", "spinning: CPU a second when idle ≤ 10 µs", "cpu_ns", Cell("idle", 1000), atMost: 10_000,
      ours: "mainspring-spin"),
  ]

  private static let posting =
    [("w2p1", "1 producer"), ("w2p2", "2 producers")].flatMap { workload, producers in
      let cell = Cell(workload, 50_000)
      return [
        goal(
          "W2", "\(producers): a block ≤ 0.6 dispatch-swift", Figures.first, cell, atMost: 0.6,
          times: "dispatch-swift"),
        goal("W2", "\(producers): a block ≤ 0.5 cfrl", Figures.first, cell, atMost: 0.5, times: "cfrl"),
        goal(
          "W2", "\(producers): a port's message ≤ 1.2 libuv", Figures.first, cell, atMost: 1.2,
          times: "libuv", ours: "mainspring-port"),
        goal("W2", "\(producers): bells a block ≤ 0.02", "bells", cell, atMost: 0.02, unit: .count),
      ]
    } + [
      goal("W2s", "inside a post ≤ 1.1 raw", Figures.first, Cell("w2s", 1500), atMost: 1.1, times: "raw"),
      goal(
        "W2s", "post to run, p50 ≤ raw", "lat_p50_us", Cell("w2s", 1500), times: "raw", unit: .microseconds),
      goal(
        "W3", "a block from a block ≤ 0.6 dispatch-swift", Figures.middle, Cell("w3", 30_000), atMost: 0.6,
        times: "dispatch-swift"),
      goal(
        "W3", "system calls a block: none", "calls", Cell("w3", 1000, isTraced: true), atMost: 0.001,
        unit: .count),
    ]

  private static let timers =
    [1000, 10_000, 100_000, 1_000_000].map { size in
      goal(
        "W4a", "arm + cancel, \(threeDigits(Double(size))) timers ≤ libev", Figures.first, Cell("w4a", size),
        times: "libev")
    } + [
      Goal(
        workload: "W4a", text: "a pass with 100,000 armed ≤ 1.2 one with 1",
        ours: figure(Figures.middle, Cell("w4p", 100_000)),
        limit: Goal.Limit(amount: figure(Figures.middle, Cell("w4p", 1)), factor: 1.2), unit: .nanoseconds)
    ]

  private static let lateness =
    [
      goal(
        "W4b", "lateness p50 ≤ 1.2 raw", "late_p50_us", Cell("w4b", 10_000), atMost: 1.2, times: "raw",
        unit: .microseconds),
      goal("W4b", "none early", "early", Cell("w4b", 10_000), atMost: 0, unit: .count),
      goal(
        "W4b", "1 ms tolerance: CPU a timer ≤ libev", "cpu_ns", Cell("w4b", 10_000), times: "libev",
        ours: "mainspring-tol"),
      goal(
        "W4c", "jitter p50 ≤ 1.2 raw", "jit_p50_us", Cell("w4c", 300), atMost: 1.2, times: "raw",
        unit: .microseconds),
      goal(
        "W4c", "system calls a tick ≤ raw", "calls", Cell("w4c", 100, isTraced: true), times: "raw",
        plus: 0.05,
        unit: .count),
    ]
    + [10, 100, 1000, 5000].map { distance in
      goal(
        "far", "\(threeDigits(Double(distance))) ms away: lateness p50 ≤ 1.2 raw", "late_p50_us",
        Cell("far", distance), atMost: 1.2, times: "raw", unit: .microseconds)
    }

  /// A secondary thread's loop against the same by hand on such a thread, the main thread's against the main thread's.
  private static let threads = [
    (ours: ours, raw: "raw-thread", name: "thread"),
    (ours: "mainspring-main", raw: "raw", name: "main thread"),
  ]

  private static let descriptors = [("w5", "W5", "pipes"), ("w5e", "W5e", "eventfds")].flatMap {
    workload, name, what in
    [100, 1000, 9900].flatMap { size in
      threads.map { thread in
        goal(
          name, "\(threeDigits(Double(size))) \(what), \(thread.name): CPU an event ≤ 1.1 raw", "cpu_ns",
          Cell(workload, size), atMost: 1.1, times: thread.raw, ours: thread.ours)
      }
    }
  }

  private static let passes =
    [goal("W6", "a pass with nothing held ≤ 40 ns", Figures.middle, Cell("w6o0", 20_000), atMost: 40)]
    + threads.map { thread in
      goal(
        "W6", "a pass with a descriptor, \(thread.name) ≤ raw + 60 ns", Figures.middle, Cell("w6d", 20_000),
        times: thread.raw, plus: 60, ours: thread.ours)
    } + observers

  private static let observers = [
    Goal(
      workload: "W6", text: "10 observers ≤ 40 ns more (floor: an array of functions)",
      ours: .difference(
        figure(Figures.middle, Cell("w6o10", 20_000)), figure(Figures.middle, Cell("w6o0", 20_000))),
      limit: Goal.Limit(amount: .constant(40)), unit: .nanoseconds,
      floor: .difference(
        figure(Figures.middle, Cell("w6o10", 20_000), of: "calls"),
        figure(Figures.middle, Cell("w6o0", 20_000), of: "calls"))),
    Goal(
      workload: "W6", text: "10 observers: calls a pass ≥ cfrl's",
      ours: figure("calls", Cell("w6o10", 20_000)),
      limit: Goal.Limit(amount: figure("calls", Cell("w6o10", 20_000), of: "cfrl"), isLeast: true),
      unit: .count),
  ]

  private static let others = [
    ("other-blocks", 100_000, "blocks of another mode"), ("other-sources", 100_000, "idle sources"),
    ("other-observers", 100_000, "observers of another mode"),
  ].flatMap { workload, size, what in
    [("pass_ns", "a pass"), ("post_ns", "a post")].map { key, name in
      Goal(
        workload: "other", text: "\(name) among \(threeDigits(Double(size))) \(what) ≤ 1.2 none",
        ours: figure(key, Cell(workload, size)),
        limit: Goal.Limit(amount: figure(key, Cell(workload, 0)), factor: 1.2), unit: .nanoseconds)
    }
  }

  private static let memory = [
    goal("W7", "RSS a timer ≤ 160 B", Figures.first, Cell("w7t", 100_000), atMost: 160, unit: .bytes),
    goal("W7", "RSS a descriptor ≤ 120 B", Figures.first, Cell("w7f", 9900), atMost: 120, unit: .bytes),
  ]

  private static let lives = [
    goal("idle", "wake-ups a second: none", Figures.first, Cell("idle", 1000), atMost: 0, unit: .count),
    goal(
      "one loop", "thread + loop ≤ 1.2 the bare thread", Figures.middle, Cell("oneloop", 300), atMost: 1.2,
      times: "thread"),
    goal(
      "one loop", "RSS of thread + loop ≤ 1.2 the bare thread", "rss", Cell("oneloop", 300), atMost: 1.2,
      times: "thread", unit: .bytes),
    goal(
      "one loop", "descriptors before a descriptor source: none", "fds", Cell("oneloop", 300), atMost: 0,
      unit: .count),
  ]
}
