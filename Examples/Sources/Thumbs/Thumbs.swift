import CommandLineOptions
import Glibc
import Pictures

/// Makes thumbnails of a folder's pictures, one after the other, on the main thread.
@main
struct Thumbs {
  static func main() {
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

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

  private static func makeThumbnails(_ settings: Request.Settings) -> ExitCode {
    let folder: PictureFolder
    do throws(FileError) {
      folder = try PictureFolder(settings.pictures)
    } catch {
      StandardStream.error.write(
        "Thumbs: \(error); name another folder by --pictures=FOLDER, or install mate-backgrounds\n")
      return .failure
    }
    var run = ThumbnailRun(settings: settings, count: folder.files.count)
    for file in folder.files { run.make(file) }
    for (name, reason) in folder.unreadable.sorted(by: { $0.key < $1.key }) { run.fail(name, reason) }
    return run.finish()
  }
}
