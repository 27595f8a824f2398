import CGtk
import Glibc
import Mainspring
import MainspringGLib

/// A GTK window at 60 frames a second and a timer of 10 ms, on one thread: in the first half the Mainspring loop hosts
/// GTK's, in the second GTK's hosts it.
@main enum GtkFrames {
  static let frames = 120

  static func main() throws {
    guard gtk_init_check() != 0 else {
      print("no display: run it under xvfb-run, or with DISPLAY set")
      exit(69)
    }
    print("host        frames  a second  timer fires  missed  slept over  latest, ms")
    for isHost in [true, false] { try measure(isHost: isHost) }
  }

  private static func measure(isHost: Bool) throws {
    let loop = RunLoop.current
    let done = RunLoop.Token()
    // What GTK does as it opens the window is over with the first frames.
    var begin: RunLoop.Instant?
    let ends = Ends.shared
    let window = Window { ticks in
      if ticks == 10 {
        begin = .now
        ends.begin(on: loop, isHost: isHost)
      }
      if ticks == 10 + frames { done.signal() }
    }
    if isHost {
      let glib = GLibContext.main.hosted()
      loop.add(glib, to: .common)
      loop.run(until: done)
      glib.invalidate()
    } else {
      let source = try GLibSource(of: loop, in: .main)
      Ends.watchSleepOfGLib()
      while window.ticks < 10 + frames { g_main_context_iteration(nil, 1) }
      source.invalidate()
    }
    let time = begin!.duration(to: .now)
    ends.end()
    show(isHost ? "Mainspring" : "GTK", time, ends.punctuality!)
  }

  private static func show(_ host: String, _ time: Duration, _ found: Punctuality) {
    let rate = Double(frames) / (time / .seconds(1))
    let latest = found.latest / .milliseconds(1)
    let cells: [(String, Int)] = [
      ("\(frames)", 8), ("\((rate * 10).rounded() / 10)", 10), ("\(found.fires)", 13), ("\(found.missed)", 8),
      ("\(found.sleptOver)", 12), ("\((latest * 100).rounded() / 100)", 12),
    ]
    let padding = { (text: String, width: Int) in String(repeating: " ", count: max(0, width - text.count)) }
    print(host + padding(host, 10) + cells.map { padding($0.0, $0.1) + $0.0 }.joined())
  }
}

/// The timer, and what looks whether it is slept over.
final class Ends: @unchecked Sendable {
  // Sendable: used on the main thread alone.
  static let shared = Ends()
  private(set) var punctuality: Punctuality?
  private var items: [RunLoop.Item] = []

  func begin(on loop: RunLoop, isHost: Bool) {
    let start = RunLoop.Instant.now
    punctuality = Punctuality(every: .milliseconds(10), from: start)
    items = [
      RunLoop.Timer(every: .milliseconds(10), first: start.advanced(by: .milliseconds(10))) { _ in
        Ends.shared.punctuality?.fired(at: .now)
      }
    ]
    if isHost {
      items += [
        RunLoop.Observer(.beforeWaiting, order: .max) { _, _ in Ends.shared.punctuality?.goesToSleep(at: .now)
        },
        RunLoop.Observer(.afterWaiting, order: .min) { _, _ in Ends.shared.punctuality?.wakes(at: .now) },
      ]
    }
    for item in items { loop.add(item, to: .common) }
  }

  /// Where GLib's loop is the host, it is GLib that sleeps: what GTK does between two turns is no sleep.
  static func watchSleepOfGLib() {
    unsafe g_main_context_set_poll_func(nil) { polled, count, timeout in
      Ends.shared.punctuality?.goesToSleep(at: .now)
      // SAFETY: GLib's structure is that of <poll.h>, and `count` of them are there.
      let found = unsafe poll(polled?.assumingMemoryBound(to: pollfd.self), nfds_t(count), timeout)
      Ends.shared.punctuality?.wakes(at: .now)
      return found
    }
  }

  func end() {
    for item in items { item.invalidate() }
    items = []
  }
}
