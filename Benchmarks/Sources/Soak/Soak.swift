import CommandLineOptions
import Glibc
import Mainspring

/// Two loops under a steady load of every kind of operation, for a long time: nothing may be lost, and memory,
/// descriptors and threads must be as many at the end as after the beginning.
@main
struct Soak {
  @MainActor
  static func main() {
    do throws(UsageError) {
      let request = try SoakRequest(CommandLine.arguments.dropFirst())
      if let help = request.help { return print(help) }
      exit(Watch(request).run() ? ExitCode.success.rawValue : ExitCode.failure.rawValue)
    } catch {
      StandardStream.error.write("soak: \(error)\n")
      exit(ExitCode.usage.rawValue)
    }
  }
}
