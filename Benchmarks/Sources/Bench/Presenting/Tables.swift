enum Tables {
  static let all: [Table] = [
    waking, posting("w2p1", "one thread posts closures"), posting("w2p2", "two threads post closures"), paced,
    selfPosting, arming, armedPasses, oneShots, repeating, farDates,
    ring("w5", "W5: tokens that travel round pipes, with the handler's own read and write"),
    ring("w5e", "W5e: the same over eventfds"), passes, otherPasses, otherPosts, recorded, memory, lives,
    idle,
  ]

  private static let micro = 1000.0

  private static let waking = Table(
    name: "w1", title: "W1: two loops on two threads wake each other; a round trip",
    columns: [
      .time("time, µs", Cell("w1", 2000), in: micro, isChunked: true),
      .cpu("CPU, µs", Cell("w1", 2000), in: micro),
      .plain("sleeps", "vcsw", Cell("w1", 2000)), .plain("bells", "bells", Cell("w1", 2000)),
      .plain("system calls", "calls", Cell("w1", 500, isTraced: true)),
    ])

  private static func posting(_ workload: String, _ producers: String) -> Table {
    let cell = Cell(workload, 50_000)
    return Table(
      name: workload, title: "W2: \(producers) as fast as possible; a closure",
      columns: [.time("time, ns", cell), .cpu("CPU, ns", cell), .plain("bells", "bells", cell)])
  }

  private static let paced = Table(
    name: "w2s", title: "W2s: one post every 20 µs",
    columns: [
      .time("inside it, ns", Cell("w2s", 1500)), .plain("p50 to run, µs", "lat_p50_us", Cell("w2s", 1500)),
      .plain("p99, µs", "lat_p99_us", Cell("w2s", 1500)), .plain("bells", "bells", Cell("w2s", 1500)),
    ])

  private static let selfPosting = Table(
    name: "w3", title: "W3: a closure posts the next",
    columns: [
      .time("time, ns", Cell("w3", 30_000), isChunked: true), .cpu("CPU, ns", Cell("w3", 30_000)),
      .plain("system calls", "calls", Cell("w3", 1000, isTraced: true)),
      .time("short cut, ns", Cell("w3n", 30_000), isChunked: true),
    ])

  private static let arming = Table(
    name: "w4a", title: "W4a: arm N timers, then cancel them; a timer, ns",
    columns: [(1000, "10³"), (10_000, "10⁴"), (100_000, "10⁵"), (1_000_000, "10⁶")].map { size, text in
      .time("N = " + text, Cell("w4a", size))
    } + [.time("one among 10⁴", Cell("w4r", 10_000))])

  private static let armedPasses = Table(
    name: "w4p", title: "W4p: a pass while N timers are armed, ns",
    columns: [(1, "1"), (1000, "10³"), (100_000, "10⁵")].map { size, text in
      .time("N = " + text, Cell("w4p", size), isChunked: true)
    })

  private static let oneShots = Table(
    name: "w4b", title: "W4b: 10,000 timers due within 200 ms; a timer",
    columns: [
      .cpu("CPU, µs", Cell("w4b", 10_000), in: micro),
      .plain("late p50, µs", "late_p50_us", Cell("w4b", 10_000)),
      .plain("p99, µs", "late_p99_us", Cell("w4b", 10_000)), .plain("early", "early", Cell("w4b", 10_000)),
      .plain("sleeps", "vcsw", Cell("w4b", 10_000)),
    ])

  private static let repeating = Table(
    name: "w4c", title: "W4c: a timer that repeats every millisecond; a tick",
    columns: [
      .cpu("CPU, µs", Cell("w4c", 300), in: micro), .plain("jitter p50, µs", "jit_p50_us", Cell("w4c", 300)),
      .plain("p99, µs", "jit_p99_us", Cell("w4c", 300)), .plain("ticks in 0.3 s", "ticks", Cell("w4c", 300)),
      .plain("system calls", "calls", Cell("w4c", 100, isTraced: true)),
    ])

  private static let farDates = Table(
    name: "far", title: "far: timers one after the other; lateness p50, µs",
    columns: [(10, "10 ms"), (100, "100 ms"), (1000, "1 s"), (5000, "5 s")].map { distance, text in
      Table.Column(
        title: text, key: "late_p50_us", cell: Cell("far", distance), minimum: "late_p50_us")
    })

  private static func ring(_ workload: String, _ title: String) -> Table {
    Table(
      name: workload, title: title + "; an event's CPU, ns",
      columns: [(100, "100"), (1000, "1,000"), (9900, "9,900")].map { size, text in
        .cpu("of " + text, Cell(workload, size))
      } + [
        Table.Column(title: "add one, ns", key: "add_ns", cell: Cell(workload, 9900), minimum: "add_ns")
      ])
  }

  private static let passes = Table(
    name: "w6", title: "W6: a pass that does not wait, with so many observers; ns",
    columns: [("w6o0", "none"), ("w6o1", "1"), ("w6o10", "10")].map { workload, text in
      .time(text, Cell(workload, 20_000), isChunked: true)
    } + [
      .plain("calls by 10", "calls", Cell("w6o10", 20_000)),
      .time("a descriptor", Cell("w6d", 20_000), isChunked: true),
    ])

  private static let otherPasses = others("other-pass", "a pass", "pass_ns")
  private static let otherPosts = others("other-post", "a block posted and run", "post_ns")

  private static func others(_ name: String, _ what: String, _ key: String) -> Table {
    let columns = [
      ("none", "other-blocks", 0), ("10³ blocks", "other-blocks", 1000),
      ("10⁵ blocks", "other-blocks", 100_000),
      ("10⁵ sources", "other-sources", 100_000), ("10⁵ observers", "other-observers", 100_000),
    ]
    return Table(
      name: name, title: "other: \(what) among idle sources, and blocks and observers of another mode; ns",
      columns: columns.map { Table.Column(title: $0, key: key, cell: Cell($1, $2), minimum: key) })
  }

  private static let recorded = Table(
    name: "trace", title: "W1, W3, W6 with what the loop does written down in a trace",
    columns: [
      .time("a round trip, µs", Cell("w1", 1000), in: micro, isChunked: true),
      .cpu("its CPU, µs", Cell("w1", 1000), in: micro),
      .time("a block from a block, ns", Cell("w3", 20_000), isChunked: true),
      .time("a pass, ns", Cell("w6o0", 10_000), isChunked: true),
      .time("with 10 observers, ns", Cell("w6o10", 10_000), isChunked: true),
    ])

  private static let memory = Table(
    name: "w7", title: "W7: memory of the process; bytes",
    columns: [
      .plain("a timer", Figures.first, Cell("w7t", 100_000)),
      .plain("a descriptor", Figures.first, Cell("w7f", 9900)),
    ])

  private static let lives = Table(
    name: "oneloop", title: "one loop: a thread that makes a loop, runs it once and ends",
    columns: [
      .time("time, µs", Cell("oneloop", 300), in: micro, isChunked: true),
      .cpu("CPU, µs", Cell("oneloop", 300), in: micro),
      .plain("RSS, KiB", "rss", Cell("oneloop", 300), in: 1024),
      .plain("descriptors", "fds", Cell("oneloop", 300)),
    ])

  private static let idle = Table(
    name: "idle", title: "idle: a loop with far timers and quiet descriptors; in a second",
    columns: [
      .plain("wake-ups", Figures.first, Cell("idle", 1000)),
      .plain("CPU, µs", "cpu_ns", Cell("idle", 1000), in: micro),
    ])
}
