/// One kind of injection, made so and so many times.
public struct Cell: Sendable, Equatable {
  public var name: String
  public var loop = LoopName.main
  /// Whether the loop runs in a mode of the program's own, not in the default one.
  public var isInOtherMode = false
  public var place = Place.block
  public var work = Work.spin
  public var lengths = Lengths.list([Length(thresholds: 2)])
  public var count = 1
  public var hostilities: [Hostility] = []

  public init(name: String) { self.name = name }
}

/// The injections of one run, cell by cell.
public struct Grid: Sendable, Equatable {
  /// From which length on a pass is a stall, ns.
  public var threshold: UInt64 = 50_000_000
  /// From how long without a wait on a loop is saturated, ns.
  public var saturation: UInt64 = 150_000_000
  /// From which length on a pass that got no processor is told as starved, ns.
  public var starvation: UInt64 = 300_000_000
  /// What lengths and gaps are drawn from.
  public var seed: UInt64 = 1
  /// What lies between two injections.
  public var gap = Lengths.range(Length(nanoseconds: 4e6), Length(nanoseconds: 24e6))
  public var cells: [Cell] = []

  public init() {}

  /// How many injections there are, each cell's count taken times `scale`, but at least one.
  public func count(scale: Double = 1) -> Int { cells.reduce(0) { $0 + $1.count(scale: scale) } }
}

extension Cell {
  public func count(scale: Double) -> Int { max(1, Int((Double(count) * scale).rounded())) }
}
