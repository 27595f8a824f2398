import ScrollDriver

/// A way of loading pictures.
struct Way: Sendable {
  let name: String
  let arguments: [String]

  static let all = [
    Way(name: "naive", arguments: ["--naive"]),
    Way(name: "newest dropped", arguments: ["--naive", "--drop-newest"]),
    Way(name: "while scrolling", arguments: ["--naive", "--while-scrolling"]),
    Way(name: "ours", arguments: []),
  ]
}

/// What one run of one way showed.
struct Result: Codable {
  let way: String
  /// When the first screen was complete; nil if it was not before the user scrolled.
  let firstScreenMs: Int?
  /// Cells that stayed empty on the first screen.
  let emptyAtFirst: Int
  let frames: Event.Frames
  let loaded: Int
  let inVain: Int
  let givenUp: Int
  /// Cells that stayed empty on the screen after the user had scrolled.
  let emptyAtLast: Int
  let scrolledMs: Int
  let clockInDefaultModeMs: Int
  let clockInCommonModesMs: Int

  init(of way: Way, with path: String, screenshots: String?) throws {
    let program = try ScrollProgram(path, way.arguments)
    func shoot(_ moment: String) throws {
      guard let screenshots else { return }
      let name = way.name.split(separator: " ").joined(separator: "-")
      try Screenshot(of: program.screen).write(to: "\(screenshots)/\(name)-\(moment).png")
    }
    let scene = try Scene(
      with: program, onFirstRest: { try shoot("first") }, onDrag: { try shoot("scrolling") })
    try shoot("last")
    if way.arguments.isEmpty, screenshots != nil {
      try program.press(key: "s")
      _ = try program.wait(for: "report drawn")
      try shoot("stall")
    }
    _ = try program.leave()
    self.way = way.name
    firstScreenMs = scene.firstRest.firstScreenMs
    emptyAtFirst = scene.firstRest.empty
    frames = scene.secondRest.tracking
    loaded = scene.secondRest.loaded
    inVain = scene.secondRest.inVain
    givenUp = scene.secondRest.givenUp
    emptyAtLast = scene.secondRest.empty
    scrolledMs = scene.length
    clockInDefaultModeMs = 100 * scene.clockInDefaultMode
    clockInCommonModesMs = 100 * scene.clockInCommonModes
  }
}
