import CHostility
import CommandLineOptions
import Glibc
import Grid
import Mainspring
import StallMonitor
import TruthLog

/// Stalls loops as an injection file says, and logs what it did and what it was told about it.
@main
struct InjectorCommand {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 3, arguments[0] == "--helper", let parent = pid_t(arguments[2]) {
      exit(helper_main(arguments[1], parent))
    }
    StandardStream.guardDescriptors()
    do {
      guard let request = try Request(arguments) else {
        StandardStream.output.write(Request.help)
        exit(ExitCode.success.rawValue)
      }
      try run(request)
    } catch let error as UsageError {
      complain("\(error)")
      exit(ExitCode.usage.rawValue)
    } catch {
      complain("\(error)")
      exit(ExitCode.failure.rawValue)
    }
  }

  private static func run(_ request: Request) throws {
    let grid: Grid
    do { grid = try Grid(text: try text(of: request.grid)) } catch let error as GridError {
      throw Failure(description: "\(request.grid): \(error)")
    }
    mkdir(request.folder, 0o755)
    guard let truths = LogFile(path: request.folder + "/truth.log"),
      let reports = LogFile(path: request.folder + "/reports.log")
    else { throw Failure(description: "\(request.folder): no logs can be written there") }
    var line = LogLine("session")
    line[number: "threshold"] = grid.threshold
    line[number: "saturation"] = grid.saturation
    line[number: "starvation"] = grid.starvation
    line[number: "seed"] = grid.seed
    truths.write(line)

    var configuration = StallMonitor.Configuration()
    configuration.threshold = .nanoseconds(Int64(grid.threshold))
    configuration.saturationThreshold = .nanoseconds(Int64(grid.saturation))
    configuration.starvationThreshold = .nanoseconds(Int64(grid.starvation))
    configuration.onReport = { report in reports.write(Told(report, heardAt: Clock.now()).line) }
    configuration.onFailure = { complain("the monitor says: \($0)") }
    let monitor = try StallMonitor(configuration)

    let main = Stage(name: "main", loop: RunLoop.main.base)
    let second = secondStage()
    for stage in [main, second] { monitor.watch(stage.loop, as: stage.name) }
    let baselines =
      request.withBaselines
      ? [main, second].flatMap { Baselines.all(on: $0, threshold: grid.threshold, log: reports) } : []
    startThread(named: "driver") {
      main.isRunning.wait()
      Clock.rest(200_000_000)
      let driver = Driver(
        grid, scale: request.scale, stages: [.main: main, .second: second], monitor: monitor, log: truths,
        reports: reports, folder: request.folder)
      driver.run()
      // The last ones are told before the monitor goes.
      Clock.rest(500_000_000)
      for baseline in baselines { baseline.end() }
      monitor.stop(waitingFor: .seconds(10))
      truths.flush()
      reports.flush()
      exit(ExitCode.success.rawValue)
    }
    main.run()
  }

  private static func secondStage() -> Stage {
    let box = Box()
    startThread(named: "second") {
      let stage = Stage(name: "second", loop: .current)
      box.stage = stage
      stage.run()
    }
    while box.stage == nil { Clock.rest(1_000_000) }
    box.stage!.isRunning.wait()
    return box.stage!
  }

  private final class Box: @unchecked Sendable {
    // Sendable: written once, before `isRunning` is posted.
    var stage: Stage?
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static func text(of path: String) throws -> String {
    guard let file = fopen(path, "re") else { throw Failure(description: "\(path) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func complain(_ text: String) { StandardStream.error.write("truth-injector: \(text)\n") }
}
