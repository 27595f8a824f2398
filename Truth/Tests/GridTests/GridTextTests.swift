import Testing

@testable import Grid

struct GridTextTests {
  @Test func `a cell has what its line says, and the rest as usual`() throws {
    let grid = try Grid(
      text: """
        # a comment
        threshold 80ms
        saturation 200ms
        starvation 2s
        seed 7

        slow: loop=second phase=beforeWaiting/last do=lock length=1.2T..3T count=40 with=hog:2+fork # and another
        plain: do=spin length=60ms count=1
        """)
    #expect(grid.threshold == 80_000_000)
    #expect(grid.saturation == 200_000_000)
    #expect(grid.starvation == 2_000_000_000)
    #expect(grid.seed == 7)
    #expect(grid.cells.map(\.name) == ["slow", "plain"])
    let slow = grid.cells[0]
    #expect(slow.loop == .second)
    #expect(slow.place == .observer(.beforeWaiting, isFirst: false))
    #expect(slow.work == .lock)
    #expect(slow.lengths == .range(Length(thresholds: 1.2), Length(thresholds: 3)))
    #expect(slow.count == 40)
    #expect(slow.hostilities == [.hogs(2), .fork])
    let plain = grid.cells[1]
    #expect(plain.loop == .main)
    #expect(plain.place == .block)
    #expect(plain.hostilities.isEmpty)
  }

  @Test(arguments: [
    ("x: do=spin length=1T count=1\nhello", 2, "'hello' begins neither"),
    ("x: do=spun length=1T count=1", 1, "there is no work 'spun'"),
    ("\nx: length=1T count=1", 2, "lacks do="),
    ("x: do=spin length=1 count=1", 1, "length '1' is none"),
    ("x: do=spin length=1T count=0", 1, "count '0'"),
    ("x: do=spin length=1T count=1 with=rain", 1, "there is no hostility 'rain'"),
    ("x: do=spin length=1T count=1 with=", 1, "there is no hostility ''"),
    ("x: do=spin length=1T count=1 do=spin", 1, "given twice"),
    ("x: do=spin length=1T count=1 color=red", 1, "there is no 'color='"),
    ("x: do=spin length=1T count=1\nx: do=spin length=1T count=1", 2, "two cells called 'x'"),
    ("x: do=backlog phase=timer length=1T count=1", 1, "a backlog is of blocks"),
    (
      "x: do=spin phase=outside loop=second length=1T count=1", 1,
      "phase=outside is none of loop=second: timer"
    ),
    ("x: do=spin phase=timer loop=queue length=1T count=1", 1, "phase=timer is none of loop=queue: block"),
    ("x: do=spin phase=port loop=cfrunloop length=1T count=1", 1, "phase=port is none of loop=cfrunloop"),
    ("x: do=spin loop=marks mode=other length=1T count=1", 1, "loop=marks phase=block has no other mode"),
    ("x: do=backlog loop=actor length=2T count=1", 1, "a backlog is of loop=main, loop=second, loop=marks"),
    (
      "x: do=spin loop=queue length=2T count=1 with=signals", 1, "loop=queue has no thread to be sent signals"
    ),
    ("x: do=spin loop=pinged length=1.2T..3T count=1", 1, "nothing is promised between 0.9T and 1.6T"),
    ("x: do=spin loop=pinged length=500ms count=1", 1, "nothing is promised"),
    ("x: do=spin loop=lonely length=1T count=1", 1, "there is no loop 'lonely': main, second, marks"),
    ("threshold 5ms", 1, "no time of at least 20ms"),
    ("x: do=spin length=1T count=1\nthreshold 50ms", 2, "threshold is to be set before the first cell"),
    ("patience 5", 1, "there is no setting 'patience'"),
    ("seed -1", 1, "seed '-1' is no number"),
    ("gap soon", 1, "gap 'soon'"),
    ("# nothing", 1, "there is no cell"),
    (": do=spin length=1T count=1", 1, "without a name"),
  ])
  func `what is wrong is said with its line`(text: String, line: Int, message: String) {
    let error = #expect(throws: GridError.self) { _ = try Grid(text: text) }
    #expect(error?.line == line)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `lengths are times or multiples of the threshold`() {
    #expect(Length("1.5T")?.resolved(threshold: 50_000_000) == 75_000_000)
    #expect(Length("60ms")?.resolved(threshold: 1) == 60_000_000)
    #expect(Length("500us")?.resolved(threshold: 1) == 500_000)
    #expect(Length("2s")?.resolved(threshold: 1) == 2_000_000_000)
    for wrong in ["", "T", "-1T", "1", "infT", "nanms", "1e30s", "1 ms"] { #expect(Length(wrong) == nil) }
  }

  @Test func `a list is gone through in its order, a range is drawn from, the same with the same seed`() {
    var random = SeededGenerator(seed: 1)
    let list = Lengths("1T,3T")!
    let listed = (0..<3).map { list.length(ofInjection: $0, threshold: 10, using: &random) }
    #expect(listed == [10, 30, 10])
    let range = Lengths("1T..3T")!
    func drawn() -> [UInt64] {
      var random = SeededGenerator(seed: 5)
      return (0..<20).map { range.length(ofInjection: $0, threshold: 1000, using: &random) }
    }
    #expect(drawn() == drawn())
    #expect(drawn().allSatisfy { (1000...3000).contains($0) })
    #expect(Set(drawn()).count > 1)
  }

  @Test func `a range the wrong way round is its first length`() {
    var random = SeededGenerator(seed: 1)
    #expect(Lengths("3T..1T")!.length(ofInjection: 0, threshold: 10, using: &random) == 30)
  }

  @Test(arguments: Place.all)
  func `each place has a name of its own that names it`(place: Place) {
    #expect(Place(name: place.name) == place)
  }

  @Test(arguments: [
    ("hog", Hostility.hogs(1)), ("stop:60ms", .stop(60_000_000)),
    ("throttle", .throttle(run: 10_000_000, stop: 40_000_000)),
    ("throttle:5ms/20ms", .throttle(run: 5_000_000, stop: 20_000_000)),
    ("signals", .signals(restarts: false)),
    ("signals:restart", .signals(restarts: true)), ("crowd:500", .crowd(500)), ("trace", .trace(200_000_000)),
  ])
  func `hostilities have arguments or usual ones`(text: String, hostility: Hostility) {
    #expect(Hostility(text) == hostility)
  }

  @Test(arguments: ["hog:0", "hog:many", "stop:3T", "throttle:5ms", "fork:2", "crowd:", ""])
  func `a hostility with a wrong argument is none`(text: String) { #expect(Hostility(text) == nil) }

  @Test(arguments: LoopName.allCases)
  func `each loop can be stalled in all of its places, and in a block`(loop: LoopName) throws {
    #expect(loop.places.contains(.block))
    for place in loop.places {
      let text = "x: loop=\(loop) phase=\(place.name) do=spin length=2T count=1"
      #expect(try Grid(text: text).cells.map(\.place) == [place])
    }
  }

  @Test(arguments: [
    (LoopName.main, Place.timer, "timer"), (.cfrunloop, .nested, "source0"),
    (.cfrunloop, .observer(.exit, isFirst: true), "observer:exit"), (.marks, .nested, "nested"),
    (.marks, .afterNested, "block"), (.queue, .block, "block"), (.actor, .block, "job"),
  ])
  func `a report is to have the loop's own word for the place`(loop: LoopName, place: Place, phase: String) {
    var cell = Cell(name: "x")
    (cell.loop, cell.place) = (loop, place)
    #expect(cell.phase == phase)
  }

  @Test func `a run has the cells of its loops, with the grid's settings`() throws {
    let grid = try Grid(
      text: "seed 7\na: do=spin length=1T count=4\nb: loop=queue do=spin length=2T count=2")
    #expect(grid.cells(of: [.queue, .actor]).cells.map(\.name) == ["b"])
    #expect(grid.cells(of: [.queue]).seed == 7)
  }

  @Test func `a smaller run has one of each cell at least`() throws {
    let grid = try Grid(text: "a: do=spin length=1T count=40\nb: do=spin length=1T count=2")
    #expect(grid.count() == 42)
    #expect(grid.count(scale: 0.1) == 5)
  }
}
