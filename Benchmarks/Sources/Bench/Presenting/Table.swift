/// A table of what was measured: a row a peer, a column a figure.
struct Table: Sendable {
  /// For marks in pages and for the command line.
  let name: String
  let title: String
  let columns: [Column]

  struct Column: Sendable {
    let title: String
    let key: String
    let cell: Cell
    /// What a figure is divided by, to be in the column's unit.
    var divisor = 1.0
    /// The figure whose least is shown beside the median, or nil if the median is enough.
    var minimum: String?

    /// Nanoseconds of the wall clock with the least beside: of the middle and the best of a run's twenty stretches, where
    /// it has stretches, else of whole runs.
    static func time(_ title: String, _ cell: Cell, in divisor: Double = 1, isChunked: Bool = false) -> Column
    {
      Column(
        title: title, key: isChunked ? Figures.middle : Figures.first, cell: cell, divisor: divisor,
        minimum: isChunked ? "best" : Figures.first)
    }
    /// Nanoseconds of processor time of all threads.
    static func cpu(_ title: String, _ cell: Cell, in divisor: Double = 1) -> Column {
      Column(title: title, key: "cpu_ns", cell: cell, divisor: divisor, minimum: "cpu_ns")
    }
    /// A median alone.
    static func plain(_ title: String, _ key: String, _ cell: Cell, in divisor: Double = 1) -> Column {
      Column(title: title, key: key, cell: cell, divisor: divisor, minimum: nil)
    }
  }
}
