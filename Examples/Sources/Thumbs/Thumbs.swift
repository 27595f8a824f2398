import CommandLineOptions
import Glibc
import Pictures

/// Makes thumbnails on a run loop, with one careless callback among them, and shows who held the loop up.
@main
struct Thumbs {
  @MainActor
  static func main() {
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

  @MainActor
  private static func run(_ arguments: some Sequence<String>) -> ExitCode {
    do throws(UsageError) {
      switch try Request(arguments) {
      case .show(let text): return StandardStream.output.write(text) ? .success : .failure
      case .makeThumbnails(let settings): return makeThumbnails(settings)
      }
    } catch {
      StandardStream.error.write("Thumbs: \(error)\n")
      return .usage
    }
  }

  @MainActor
  private static func makeThumbnails(_ settings: Request.Settings) -> ExitCode {
    do {
      let folder = try PictureFolder(settings.pictures)
      let show = try Show(folder, settings: settings)
      return show.run()
    } catch let error as FileError {
      StandardStream.error.write(
        "Thumbs: \(error); name another folder by --pictures=FOLDER, or install mate-backgrounds\n")
    } catch {
      StandardStream.error.write("Thumbs: \(error)\n")
    }
    return .failure
  }
}
