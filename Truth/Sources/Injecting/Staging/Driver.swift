import Glibc
import Grid
import TruthLog

/// Makes the injections of a grid, one after the other, and logs them. On a thread of its own.
final class Driver: @unchecked Sendable {
  // Sendable: handed to the driver's thread as a whole.
  private let grid: Grid
  private let scale: Double
  private let stages: [LoopName: any Stage]
  private let log: LogFile
  private let reports: LogFile
  private let props: Props
  private let progress: Progress
  private var random: SeededGenerator
  private var nextID = 1

  init(
    _ grid: Grid, scale: Double, stages: [any Stage], log: LogFile, reports: LogFile, folder: String
  ) {
    self.grid = grid
    self.scale = scale
    self.stages = Dictionary(uniqueKeysWithValues: stages.map { ($0.name, $0) })
    self.log = log
    self.reports = reports
    props = Props(folder: folder)
    progress = Progress(cells: grid.cells.count, injections: grid.count(scale: scale))
    random = SeededGenerator(seed: grid.seed)
  }

  func run() {
    let start = Clock.now()
    for cell in grid.cells {
      progress.begin(cell.name, count: cell.count(scale: scale))
      run(cell)
      log.flush()
      reports.flush()
    }
    var line = LogLine("end")
    line[number: "duration"] = Clock.now() - start
    log.write(line)
    progress.end()
  }

  private func run(_ cell: Cell) {
    let stage = stages[cell.loop]!
    stage.prepare(cell)
    let torment = Torment(cell.hostilities, on: stage)
    torment.begin()
    // What the beginning itself stirred up is over.
    Clock.rest(cell.hostilities.isEmpty ? 20_000_000 : 100_000_000)
    for number in 0..<cell.count(scale: scale) {
      let length = cell.lengths.length(ofInjection: number, threshold: grid.threshold, using: &random)
      Clock.rest(grid.gap.length(ofInjection: number, threshold: grid.threshold, using: &random))
      let injection = Injection(id: nextID, cell: cell, length: length, props: props)
      nextID += 1
      inject(injection, on: stage, torment)
      progress.step()
    }
    torment.end()
    stage.tidy()
    Clock.rest(20_000_000)
  }

  private func inject(_ injection: Injection, on stage: any Stage, _ torment: Torment) {
    let work = injection.cell.work
    if Accomplice.isNeeded(for: work) { props.accomplice.prepare(work, injection.length) }
    torment.prepare(injection)
    if work == .nothing {
      injection.begin()
      Clock.rest(injection.length)
      injection.finish()
    } else {
      stage.trigger(injection)
    }
    awaitEnd(of: injection, on: stage)
    for stop in torment.stops() {
      var line = LogLine("stop")
      line[number: "start"] = stop.start
      line[number: "end"] = stop.end
      log.write(line)
    }
    log.write(injection.truth(loop: stage.loop(of: injection)).line)
  }
}

extension Driver {
  private func awaitEnd(of injection: Injection, on stage: any Stage) {
    for _ in 0..<Self.longestWait {
      if injection.done.waitBriefly() { return }
      stage.remind(of: injection)
    }
    fatalError("injection \(injection.id) of \(injection.cell.name) did not end")
  }

  /// Tenths of a second.
  private static let longestWait = 1200
}
