import Mainspring

extension Operations {
  static let beforeWaiting = [
    Operation(
      "idle-task", "a task added to an idle queue and done before the loop sleeps, one of 200 at a time"
    ) {
      let (loop, queue) = (RunLoop.current, RunLoop.IdleQueue(budget: .init(time: .seconds(1), tasks: 1000)))
      loop.add(queue, to: .default)
      return { times in
        Callouts.expect(times) {
          for _ in 0..<times { queue.add { Callouts.note() } }
          precondition(loop.run().reason == .finished, "tasks are left")
        }
      }
    },
    Operation(
      "idle-task-key", "the same with a key, each task replaced by another before", steadiness: .varying
    ) {
      let (loop, queue) = (RunLoop.current, RunLoop.IdleQueue(budget: .init(time: .seconds(1), tasks: 1000)))
      loop.add(queue, to: .default)
      return { times in
        Callouts.expect(times) {
          for key in 0..<times {
            queue.add(key: .init(key)) { Callouts.note() }
            queue.add(key: .init(key)) { Callouts.note() }
          }
          precondition(loop.run().reason == .finished, "tasks are left")
        }
      }
    },
    Operation(
      "batch-mark", "a mark that is made twice, and its update before the loop sleeps", steadiness: .varying
    ) {
      let (loop, batch) = (RunLoop.current, RunLoop.Batch<Int> { _, _ in Callouts.note() })
      loop.add(batch, to: .default)
      return { times in
        Callouts.expect(times) {
          for mark in 0..<times {
            batch.mark(mark)
            batch.mark(mark)
          }
          precondition(loop.run().reason == .finished, "marks are left")
        }
      }
    },
    Operation("pool-push", "an object pushed to a release pool and let go of before the loop sleeps") {
      let (loop, pool, object) = (RunLoop.current, RunLoop.ReleasePool(), Countdown())
      loop.add(pool, to: .default)
      return { times in
        Callouts.expect(1) {
          loop.perform(in: .default) {
            for _ in 0..<times { pool.push(object) }
            Callouts.note()
          }
          loop.run()
          precondition(pool.count == 0, "objects are left")
        }
      }
    },
  ]
}
