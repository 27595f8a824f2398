import CommandLineOptions
import Foundation

/// Takes stacks as fast as it can of threads that do what is hard to be interrupted in, and counts what came of it.
///
/// The work is done by a second process of the same program: the first one sees that it goes on, and says where each of its
/// threads is if it does not.
@main enum CaptureStress {
  static func main() {
    do throws(UsageError) {
      let request = try StressRequest(CommandLine.arguments.dropFirst())
      if let help = request.help {
        print(help)
      } else if request.isWorker {
        exit(Stress(sampleCount: request.sampleCount).run() ? 0 : 1)
      } else {
        exit(Watchdog(sampleCount: request.sampleCount).run() ? 0 : 1)
      }
    } catch {
      FileHandle.standardError.write(Data("CaptureStress: \(error)\n".utf8))
      exit(2)
    }
  }
}
