import CommandLineOptions
import Glibc
import Mainspring

/// A list of pictures in a window. What it shows is on the loop: idle work, a display link, modes, the stall monitor.
@main
struct ScrollList {
  @MainActor
  static func main() {
    StandardStream.guardDescriptors()
    RunLoop.SignalSource.block([SIGUSR1, SIGTERM, SIGINT])
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

  @MainActor
  private static func run(_ arguments: some Sequence<String>) -> ExitCode {
    do throws(UsageError) {
      switch try Request(arguments) {
      case .show(let text):
        if StandardStream.output.write(text) { return .success }
        complain("standard output cannot be written")
        return .failure
      case .open(let settings): return open(settings)
      }
    } catch {
      complain("\(error)")
      return .usage
    }
  }

  @MainActor
  private static func open(_ settings: Request.Settings) -> ExitCode {
    do {
      let gallery = try Gallery(settings.pictures)
      guard !gallery.files.isEmpty else {
        complain(
          "no JPEG or PNG picture in '\(settings.pictures ?? "")'; name another folder by --pictures=FOLDER")
        return .failure
      }
      try Show(gallery, settings).run()
      return .success
    } catch {
      complain("\(error)")
      return .failure
    }
  }

  /// Says what is wrong, in one line on standard error.
  static func complain(_ text: String) { StandardStream.error.writeLine("ScrollList: \(text)") }
}
