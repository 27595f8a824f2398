@testable import Mainspring
import MainspringTesting
import Testing

/// Idle tasks in steps, that fail, and that wait.
@Suite struct IdleTaskTests {
  typealias Queue = RunLoop.IdleQueue
  private typealias Stage = IdleStage

  @Test func `M52: a task in steps is told what is left of the turn, and goes on in the next`() {
    let stage = Stage(Queue(budget: Queue.Budget(time: .milliseconds(4), tasks: 2)))
    let virtual = stage.virtual
    let left = Record<Duration>()
    let end = Box<String>()
    stage.add("a", taking: .milliseconds(1))
    stage.queue.add(
      onEnd: { end.value = "\($0)" },
      inSteps: { slice in
        left.add(slice.remaining)
        #expect(!slice.isOver)
        virtual.spend(.milliseconds(5))
        #expect(slice.isOver)
        #expect(slice.remaining == .zero)
        stage.done.add("step")
        return stage.done.count < 4 ? .unfinished : .finished
      })
    stage.add("b")
    let turns = stage.recordTurns()
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a", "step", "step", "step", "b"])
    #expect(turns.all == [2, 3, 4, 5])
    #expect(left.all == [.milliseconds(3), .milliseconds(4), .milliseconds(4)])
    #expect(end.value == "finished")
  }

  @Test func `M52: a task in steps that is cancelled, by itself or between them, is not called again`() throws
  {
    let stage = Stage()
    let queue = stage.queue
    let endings = Record<String>()
    let steps: @Sendable (String) -> Void = { name in
      queue.add(
        key: Queue.Key(name), onEnd: { endings.add("\(name) \($0)") },
        inSteps: { _ in
          stage.done.add(name)
          queue.cancel(key: Queue.Key(name))
          return .unfinished
        })
    }
    steps("a")
    stage.loop.run(in: .default)
    #expect(stage.done.all == ["a"])
    #expect(endings.all == ["a cancelled"])
  }

  @Test func `M52: an error goes to the handler, with the key, and the others are done`() {
    struct Bad: Error {}
    let errors = Record<String>()
    let endings = Record<String>()
    let stage = Stage(Queue(onError: { _, error, key in errors.add("\(error is Bad) \(key == "cell")") }))
    stage.queue.add(key: "cell", onEnd: { if case .failed = $0 { endings.add("failed") } }) { throw Bad() }
    stage.queue.add(inSteps: { _ in throw Bad() })
    stage.add("a")
    stage.loop.run(in: .default)
    #expect(errors.all == ["true true", "true false"])
    #expect(endings.all == ["failed"])
    #expect(stage.done.all == ["a"])
  }

  @Test func `M52: an asynchronous task keeps the run going, and its end is told on the loop's thread`() {
    onOwnThread { loop in
      let queue = Queue()
      loop.add(queue, to: .default)
      let seen = Record<String>()
      queue.add(
        onEnd: { seen.add("\($0) \(loop === RunLoop.current)") },
        asynchronous: {
          await Task.yield()
          seen.add("ran")
        })
      #expect(loop.run(in: .default).reason == .finished)
      #expect(seen.all == ["ran", "finished true"])
    }
  }

  @Test func `M52: of asynchronous tasks as many are under way as may be, and others pass by`() {
    onOwnThread { loop in
      let queue = Queue(asynchronousAtOnce: 1)
      loop.add(queue, to: .default)
      let seen = Record<String>()
      let gate = AsyncStream<Void>.makeStream()
      for number in 1...3 {
        queue.add(asynchronous: {
          seen.add("begin \(number)")
          if number == 1 { for await _ in gate.stream { break } }
          seen.add("end \(number)")
        })
      }
      queue.add {
        seen.add("plain")
        gate.continuation.yield()
      }
      loop.run(in: .default)
      #expect(seen.all.filter { $0 != "plain" } == (1...3).flatMap { ["begin \($0)", "end \($0)"] })
      #expect(seen.all.contains("plain"))
    }
  }

  @Test
  func `M52: an asynchronous task that is cancelled, or replaced by its key, is told and ends as cancelled`()
  {
    onOwnThread { loop in
      let queue = Queue()
      loop.add(queue, to: .default)
      let endings = Record<String>()
      let never: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(3600)) }
      queue.add(key: "a", onEnd: { endings.add("a \($0)") }, asynchronous: never)
      queue.add {
        queue.add(key: "a", onEnd: { endings.add("a again \($0)") }) {}
      }
      loop.run(in: .default)
      #expect(Set(endings.all) == ["a cancelled", "a again finished"])
    }
  }

  @Test func `M52: the error of an asynchronous task goes to the handler on the loop's thread`() {
    struct Bad: Error {}
    onOwnThread { loop in
      let errors = Record<Bool>()
      let queue = Queue(onError: { _, error, _ in errors.add(error is Bad && loop === RunLoop.current) })
      loop.add(queue, to: .default)
      queue.add(asynchronous: { throw Bad() })
      loop.run(in: .default)
      #expect(errors.all == [true])
    }
  }
}
