import Foundation

/// The example, running on a screen of its own, and the hand that uses it. It ends with this object.
public final class ScrollProgram {
  /// Its screen.
  public let screen: VirtualScreen
  private let process: Child
  private var rest: [UInt8] = []
  private let decoder = JSONDecoder()
  /// All that it has told so far.
  public private(set) var events: [Event] = []
  private let reports: URL

  /// Starts the program at that path.
  public init(_ path: String, _ arguments: [String] = []) throws {
    screen = try VirtualScreen()
    reports = FileManager.default.temporaryDirectory.appendingPathComponent("scroll-list-\(UUID())")
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    process = try Child([path, "--json", "--reports=\(reports.path)"] + arguments, display: screen.name)
  }

  deinit { try? FileManager.default.removeItem(at: reports) }

  /// Waits until the program tells of one of these, and returns it. What it tells meanwhile is among ``events``.
  public func wait(for names: String...) throws -> Event {
    while true {
      let event = try next()
      if names.contains(event.event) { return event }
    }
  }

  private func next() throws -> Event {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(rest[..<end])
        rest.removeSubrange(...end)
        guard let event = try? decoder.decode(Event.self, from: line) else {
          throw DriverError.notUnderstood(String(decoding: line, as: UTF8.self))
        }
        events.append(event)
        return event
      }
      let more = process.read()
      guard !more.isEmpty else { throw DriverError.ended("ScrollList") }
      rest += more
    }
  }

  /// Asks how everything stands.
  public func status() throws -> Event {
    process.send(SIGUSR1)
    return try wait(for: "status")
  }

  /// Presses a key and lets it go.
  public func press(key: String) throws { try hand(["key", key]) }

  /// Drags upwards and lets go in motion, several times, faster than the list comes to rest in between. How long the hand takes
  /// for it is part of what it does; nobody waits for anything.
  public func flick(times: Int) throws {
    let way = [540, 510, 470, 420, 360, 300, 240, 180, 120]
    let flick =
      ["mousemove", "300", "560", "mousedown", "1"]
      + way.flatMap { ["sleep", "0.012", "mousemove", "300", "\($0)"] }
      + ["mouseup", "1", "sleep", "0.15"]
    try hand((0..<times).flatMap { _ in flick })
  }

  /// Waits until all that the hand did has come to the program, the list stands still, and nothing is left to be loaded.
  public func waitForRest() throws -> Event {
    try press(key: "Escape")
    var last = try wait(for: "escape")
    while !last.isSettled { last = try wait(for: "settled") }
    return last
  }

  /// Uses pointer and keys; returns when that is done.
  /// Presses, drags a little, and has the window taken off the screen before it lets go: the server tells the program of neither
  /// the place nor the button any more.
  public func hideWhileHeld() throws {
    try hand([
      "mousemove", "300", "400", "mousedown", "1", "mousemove", "300", "380", "search", "--onlyvisible",
      "--name",
      ".", "windowunmap", "--sync", "mouseup", "1", "windowmap", "--sync",
    ])
  }

  private func hand(_ words: [String]) throws {
    let hand = try Child(["xdotool"] + words, display: screen.name)
    guard hand.wait() == 0 else { throw DriverError.ended("xdotool") }
  }

  /// Ends the program as a user does; returns its exit code.
  public func leave() throws -> Int32? {
    try press(key: "q")
    _ = try wait(for: "end")
    return process.wait()
  }
}
