import Mainspring

extension Operations {
  static let timers = [
    Operation("timer-near", "the date of a timer set to 5 ms from now, and taken away") {
      armAndCancel(after: .milliseconds(5), tolerance: .zero)
    },
    Operation("timer-far", "the same, an hour from now") {
      armAndCancel(after: .seconds(3600), tolerance: .zero)
    },
    Operation("timer-tolerance", "the same, a second from now with a tolerance of 50 ms") {
      armAndCancel(after: .seconds(1), tolerance: .milliseconds(50))
    },
    Operation("timer-made", "a timer made for a time-out, added, and invalidated before it fires") {
      let loop = RunLoop.current
      return { times in
        for _ in 0..<times {
          let timer = RunLoop.Timer(after: .seconds(30)) { _ in Callouts.note() }
          loop.add(timer, to: .default)
          timer.invalidate()
        }
      }
    },
    Operation(
      "timers-1000", "a thousand timers set to dates of up to an hour, a pass, and all taken away", times: 3
    ) {
      let loop = RunLoop.current
      let timers = (0..<1000).map { _ in RunLoop.Timer(rearmable: ()) { _ in Callouts.note() } }
      for timer in timers { loop.add(timer, to: .default) }
      return { times in
        for _ in 0..<times {
          let now = RunLoop.Instant.now
          for (index, timer) in timers.enumerated() {
            timer.setFireDate(now.advanced(by: .milliseconds(1000 + index * 7919 % 3_599_000)))
          }
          loop.run(in: .default, for: .zero)
          for timer in timers { timer.setFireDate(nil) }
        }
      }
    },
    Operation("timer-fire", "a timer that is due, its call, which makes it due anew, and the pass") {
      let loop = RunLoop.current
      let countdown = Countdown()
      let timer = RunLoop.Timer(rearmable: ()) { timer in
        Callouts.note()
        if countdown.isOver { loop.stop() } else { timer.setFireDate(after: .zero) }
      }
      loop.add(timer, to: .default)
      return { times in
        Callouts.expect(times) {
          countdown.begin(times)
          timer.setFireDate(after: .zero)
          loop.run()
        }
      }
    },
    Operation(
      "tick", "a tick of a timer that repeats every millisecond, and the sleep before it", times: 30,
      steadiness: .varying
    ) {
      tick(every: .milliseconds(1))
    },
    Operation(
      "tick-slow", "the same, every 20 milliseconds", times: 10, steadiness: .varying
    ) { tick(every: .milliseconds(20)) },
  ]

  private static func armAndCancel(after delay: Duration, tolerance: Duration) -> (Int) -> Void {
    let timer = RunLoop.Timer(rearmable: (), tolerance: tolerance) { _ in Callouts.note() }
    RunLoop.current.add(timer, to: .default)
    return { times in
      Callouts.expect(0) {
        for _ in 0..<times {
          timer.setFireDate(after: delay)
          timer.setFireDate(nil)
        }
      }
    }
  }

  private static func tick(every interval: Duration) -> (Int) -> Void {
    let loop = RunLoop.current
    let countdown = Countdown()
    return { times in
      Callouts.expect(times) {
        countdown.begin(times)
        let timer = RunLoop.Timer(every: interval) { _ in
          Callouts.note()
          if countdown.isOver { loop.stop() }
        }
        loop.add(timer, to: .default)
        loop.run()
        timer.invalidate()
      }
    }
  }
}
