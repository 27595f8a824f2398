import CommandLineOptions
import Glibc
package import Grid
package import StallMonitor
import TruthLog

/// One run of an injector: its grid, its logs, and the monitor that is told of nothing but the loops.
package final class Run: @unchecked Sendable {
  // Sendable: immutable but for the logs, which are for any thread.
  package let grid: Grid
  package let monitor: StallMonitor
  package let reports: LogFile
  private let truths: LogFile
  private let request: Request

  /// - Parameter loops: those whose cells are to be injected; the others' are another program's.
  package init(_ request: Request, of loops: Set<LoopName>) throws {
    self.request = request
    do {
      grid = try Grid(text: try Self.text(of: request.grid)).cells(of: loops)
    } catch let error as GridError {
      throw Failure(description: "\(request.grid): \(error)")
    }
    mkdir(request.folder, 0o755)
    guard let truths = LogFile(path: request.folder + "/truth.log"),
      let reports = LogFile(path: request.folder + "/reports.log")
    else { throw Failure(description: "\(request.folder): no logs can be written there") }
    (self.truths, self.reports) = (truths, reports)
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
    configuration.onFailure = { InjectorProgram.complain("the monitor says: \($0)", as: request.program) }
    monitor = try StallMonitor(configuration)
  }

  /// Makes all injections, on the calling thread, and ends the process.
  package func drive(_ stages: [any Stage], atEnd end: () -> Void = {}) -> Never {
    Clock.rest(200_000_000)
    let driver = Driver(
      grid, scale: request.scale, stages: stages, log: truths, reports: reports, folder: request.folder)
    driver.run()
    // The last ones are told before the monitor goes.
    Clock.rest(500_000_000)
    end()
    monitor.stop(waitingFor: .seconds(10))
    truths.flush()
    reports.flush()
    exit(ExitCode.success.rawValue)
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
}
