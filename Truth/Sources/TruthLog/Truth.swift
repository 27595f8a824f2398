/// One injection, as it was meant and as the thread that made it measured it.
public struct Truth: Sendable, Equatable {
  public var id: Int
  public var cell: String
  public var loop: String
  /// When it was on, by the stalled thread's own reading of the clock.
  public var interval: Interval
  /// How long it was meant to last, ns; 0 where nothing was to be on.
  public var meant: UInt64
  /// The phase, and how many runs were on the stack.
  public var phase: String
  public var nesting = 1
  /// The function to blame; nil where no single one is.
  public var function: String?
  /// The share of the time that is the function's.
  public var share = 1.0
  /// `busy`, `blocked`, or `measured` where the thread's figures say.
  public var meantClass: String
  public var kind = "stall"
  /// What the thread had of a processor, and what it waited for one, ns; nil where it was not measured.
  public var cpu: UInt64?
  public var runnable: UInt64?
  /// Whether the loop could be stuck at all: between two runs it cannot.
  public var isOfLoop = true
  /// Whether the machine had nothing else to do.
  public var isUndisturbed = true

  public init(
    id: Int, cell: String, loop: String, interval: Interval, meant: UInt64, phase: String, meantClass: String
  ) {
    self.id = id
    self.cell = cell
    self.loop = loop
    self.interval = interval
    self.meant = meant
    self.phase = phase
    self.meantClass = meantClass
  }

  public var line: LogLine {
    var line = LogLine("truth")
    line["id"] = "\(id)"
    line["cell"] = cell
    line["loop"] = loop
    line[number: "start"] = interval.start
    line[number: "end"] = interval.end
    line[number: "meant"] = meant
    line["phase"] = phase
    line["nesting"] = "\(nesting)"
    line["function"] = function
    line["share"] = "\(share)"
    line["class"] = meantClass
    line["kind"] = kind
    line[number: "cpu"] = cpu
    line[number: "runnable"] = runnable
    line["of-loop"] = isOfLoop ? "1" : "0"
    line["undisturbed"] = isUndisturbed ? "1" : "0"
    return line
  }

  public init(_ line: LogLine) throws(LogError) {
    self.init(
      id: Int(try line.number("id")), cell: try line.text("cell"), loop: try line.text("loop"),
      interval: Interval(try line.number("start"), try line.number("end")), meant: try line.number("meant"),
      phase: try line.text("phase"), meantClass: try line.text("class"))
    nesting = Int(line[number: "nesting"] ?? 1)
    function = line["function"]
    share = line.decimal("share") ?? 1
    kind = line["kind"] ?? kind
    cpu = line[number: "cpu"]
    runnable = line[number: "runnable"]
    isOfLoop = line["of-loop"] != "0"
    isUndisturbed = line["undisturbed"] != "0"
  }
}
