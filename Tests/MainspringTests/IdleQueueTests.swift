@testable import Mainspring
import MainspringTesting
import Testing

/// The order of idle work, keys, room, and the first screen.
@Suite struct IdleQueueTests {
  typealias Queue = RunLoop.IdleQueue
  private typealias Stage = IdleStage

  @Test func `M52: idle work is done before the loop sleeps, without input, in order`() {
    let stage = Stage()
    for name in ["a", "b", "c"] { stage.add(name) }
    stage.loop.perform(in: .default) { stage.done.add("block") }
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.done.all == ["block", "a", "b", "c"])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M52: a turn ends with its number of tasks, and what is left follows without a sleep`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .seconds(1), tasks: 3)))
    let turns = stage.recordTurns()
    for number in 1...7 { stage.add("\(number)") }
    stage.loop.run(in: .default)
    #expect(turns.all == [3, 6, 7])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M52: a turn ends with its time, after the task that is on`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .milliseconds(4))))
    let turns = stage.recordTurns()
    for number in 1...6 { stage.add("\(number)", taking: .milliseconds(1.5)) }
    stage.loop.run(in: .default)
    // Three are 4.5 ms.
    #expect(turns.all == [3, 6])
  }

  @Test func `M52: between turns the loop does what else there is`() {
    let stage = Stage(Queue(budget: Queue.Budget(tasks: 1)))
    let port = RunLoop.Port<Int> { port, message in
      stage.done.add("message \(message)")
      if message == 2 { port.invalidate() }
    }
    stage.loop.add(port, to: .default)
    stage.queue.add {
      stage.done.add("a")
      port.send(1)
    }
    stage.queue.add {
      stage.done.add("b")
      port.send(2)
    }
    stage.add("c")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "message 1", "b", "message 2", "c"])
  }

  @Test func `M52: a turn ends when a timer is due, with a task at least`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .milliseconds(100))))
    stage.loop.add(RunLoop.Timer(after: .milliseconds(5)) { _ in stage.done.add("timer") }, to: .default)
    for number in 1...4 { stage.add("\(number)", taking: .milliseconds(3)) }
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["1", "2", "timer", "3", "4"])
  }

  @Test func `M52: a turn ends when something is sent to the loop`() {
    let stage = Stage()
    let loop = stage.loop
    stage.queue.add {
      stage.done.add("a")
      loop.actingFromElsewhere { _ = loop.perform(in: .default) { stage.done.add("block") } }
    }
    stage.add("b")
    loop.run(in: .default)
    #expect(stage.done.all == ["a", "block", "b"])
  }

  @Test func `M52: a turn ends with a stop, and what is left is the next run's`() {
    let stage = Stage()
    let loop = stage.loop
    stage.queue.add { loop.stop() }
    stage.add("b")
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(stage.done.isEmpty)
    loop.run(in: .default)
    #expect(stage.done.all == ["b"])
  }

  @Test func `M2, M52: a source that signals itself cannot starve idle work`() {
    let stage = Stage()
    let source = RunLoop.Source { source in
      if stage.done.isEmpty { source.signal() } else { source.invalidate() }
    }
    stage.loop.add(source, to: .default)
    source.signal()
    stage.add("a")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a"])
  }

  @Test func `M52: a task from another thread wakes a loop that sleeps in one of the queue's modes`() {
    let stage = Stage()
    let (virtual, begin) = (stage.virtual, stage.virtual.now)
    let date = Box<RunLoop.Instant>()
    virtual.at(.milliseconds(7)) {
      virtual.loop.actingFromElsewhere { _ = stage.queue.add { date.value = virtual.now } }
    }
    stage.loop.run(in: .tracking, for: .milliseconds(20), whenEmpty: .wait)
    #expect(date.value == begin.advanced(by: .milliseconds(7)))
  }

  @Test func `M52: what another observer of beforeWaiting adds behind the queue is not slept over`() {
    let stage = Stage()
    let isFirst = Box(true)
    stage.loop.add(
      RunLoop.Observer(.beforeWaiting, order: .max) { _, _ in
        if isFirst.value == true { stage.add("a") }
        isFirst.value = false
      }, to: .default)
    stage.loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait)
    #expect(stage.done.all == ["a"])
    #expect(stage.virtual.sleepCount == 1)
  }

  @Test func `M8, M52: tasks keep the queue's modes from being empty, and no others`() {
    let stage = Stage(in: .tracking)
    #expect(stage.loop.run(in: .tracking).reason == .finished)
    #expect(stage.virtual.passCount == 0)
    stage.add("a")
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.virtual.passCount == 0)
    stage.loop.run(in: .tracking)
    #expect(stage.done.all == ["a"])
    // Cancelled, it keeps nothing.
    stage.add("b")?.cancel()
    stage.virtual.trace.clear()
    stage.loop.run(in: .tracking)
    #expect(stage.virtual.passCount == 0)
  }

  @Test func `M52: higher priorities first, also before what is left of lower ones`() {
    let stage = Stage()
    stage.add("low", priority: .low)
    stage.add("normal")
    stage.queue.add(priority: .high) {
      stage.done.add("high")
      stage.add("high again", priority: .high)
    }
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["high", "high again", "normal", "low"])
  }

  @Test func `M52: a task of the same key takes the waiting one's place`() {
    let stage = Stage()
    let endings = Record<String>()
    stage.add("old", key: "cell") { endings.add("old \($0)") }
    stage.add("other", key: 7) { endings.add("other \($0)") }
    stage.add("new", key: "cell") { endings.add("new \($0)") }
    #expect(stage.queue.count == 2)
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["new", "other"])
    #expect(endings.all == ["old cancelled", "new finished", "other finished"])
    // The key is free again.
    stage.add("again", key: "cell")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["new", "other", "again"])
  }

  @Test func `M52: keys are equal where their values are, and of one type`() {
    typealias Key = RunLoop.IdleQueue.Key
    struct Cell: Hashable { let row: Int }
    #expect(Key(7) == 7 && Key("seven") == "seven" && Key(Cell(row: 7)) == Key(Cell(row: 7)))
    #expect(Key(7) != 8 && Key("seven") != "eight" && Key(Cell(row: 7)) != Key(Cell(row: 8)))
    #expect(Key(7) != "7" && Key(7) != Key(7 as UInt8) && Key(7) != Key(Cell(row: 7)))
    #expect(Key(Int?.some(7)) != 7 && Key(7 as UInt8) != Key(UInt8?.some(7)))
    #expect(
      Set<Key>([7, "seven", Key(Cell(row: 7)), Key(7), Key("sev" + "en"), Key(Cell(row: 7))]).count == 3)
  }

  @Test func `M52: a task of the same key and another priority goes to the end of that`() {
    let stage = Stage()
    stage.add("first", priority: .high)
    stage.add("old", key: "cell")
    stage.add("new", key: "cell", priority: .high)
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["first", "new"])
  }

  @Test func `M52: what is cancelled, by handle or by key, is not done`() throws {
    let stage = Stage()
    let endings = Record<String>()
    let a = try #require(stage.add("a") { endings.add("a \($0)") })
    stage.add("b", key: "b")
    stage.add("c")
    #expect(a.cancel())
    #expect(!a.cancel())
    #expect(a.hasEnded)
    #expect(stage.queue.contains(key: "b"))
    #expect(stage.queue.cancel(key: "b"))
    #expect(!stage.queue.cancel(key: "b"))
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["c"])
    #expect(endings.all == ["a cancelled"])
  }

  @Test func `M52: a handle of a task that is over does not meet the one that has its place`() throws {
    let stage = Stage()
    let a = try #require(stage.add("a"))
    stage.loop.run(in: .default)
    stage.add("b")
    #expect(!a.cancel())
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "b"])
  }

  @Test func `M52: cancelAll leaves nothing`() {
    let stage = Stage()
    for name in ["a", "b"] { stage.add(name) }
    stage.queue.cancelAll()
    #expect(stage.queue.count == 0)
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.done.isEmpty)
  }

  @Test func `M52: a full queue refuses, or drops the oldest or the newest, and says so`() {
    for (policy, expected) in [
      (Queue.Overflow.refuse, ["a", "b"]), (.dropOldest, ["c", "d"]), (.dropNewest, ["a", "d"]),
    ] {
      let stage = Stage(Queue(capacity: 2, whenFull: policy))
      let dropped = Record<String>()
      for name in ["a", "b", "c", "d"] {
        let handle = stage.add(name) { if case .dropped = $0 { dropped.add(name) } }
        #expect((handle == nil) == (policy == .refuse && ["c", "d"].contains(name)))
      }
      #expect(stage.queue.count == 2)
      stage.loop.run(in: .default)
      #expect(stage.done.all == expected)
      #expect(dropped.all == (policy == .refuse ? [] : policy == .dropOldest ? ["a", "b"] : ["b", "c"]))
    }
  }

  @Test func `M52: a full queue drops of the lowest priority, and never for a lower one`() {
    let stage = Stage(Queue(capacity: 2, whenFull: .dropOldest))
    stage.add("high", priority: .high)
    stage.add("normal")
    #expect(stage.add("low", priority: .low) == nil)
    stage.add("high 2", priority: .high)
    #expect(stage.add("normal 2") == nil)
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["high", "high 2"])
  }
}
