import SimulationPrograms

/// What the scenes of a stage have in common.
struct Stage {
  let scenes: [Scene]

  var isInBlock: Bool { scenes.contains { if case .block = $0 { true } else { false } } }
  var isInSource: Bool { scenes.contains { if case .callout(_, .source) = $0 { true } else { false } } }
  var isInObserver: Bool { scenes.contains { if case .callout(_, .activity) = $0 { true } else { false } } }
  var isAfterWaiting: Bool {
    scenes.contains { if case .callout(_, .activity(.afterWaiting)) = $0 { true } else { false } }
  }
  var isFiring: Bool { scenes.contains(where: \.isTimer) }

  func isFiring(_ timer: Int) -> Bool {
    scenes.contains { if case .callout(timer, .timer) = $0 { true } else { false } }
  }

  private var runs: [Act.Run] { scenes.compactMap { if case .run(let run) = $0 { run } else { nil } } }

  /// Whether a run is on that ends when its mode is empty.
  var isFinishing: Bool { runs.contains { $0.limit == nil && $0.mode == .initialization } }

  var isLong: Bool { runs.contains { $0.limit == nil } }
  var returnsAfterSource: Bool {
    runs.contains { if case .plain(returnAfterSource: true, _) = $0.way { true } else { false } }
  }
  var runModes: Set<Program.Mode> { Set(runs.map(\.mode)) }

  /// Who acts; a run if nobody does.
  var innermost: Scene? { scenes.last }
}

extension Scene {
  var isTimer: Bool { if case .callout(_, .timer) = self { true } else { false } }
}
