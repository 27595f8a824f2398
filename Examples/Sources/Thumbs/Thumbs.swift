import CommandLineOptions
import Glibc
import Pictures

/// Makes thumbnails on a run loop, with one careless callback among them, and shows who held the loop up.
@main
struct Thumbs {
  @MainActor
  static func main() {
    StandardStream.guardDescriptors()
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
      case .makeThumbnails(let settings): return makeThumbnails(settings)
      }
    } catch {
      complain("\(error)")
      return .usage
    }
  }

  @MainActor
  private static func makeThumbnails(_ settings: Request.Settings) -> ExitCode {
    do {
      let folder = try PictureFolder(settings.pictures)
      guard !folder.files.isEmpty || !folder.unreadable.isEmpty else {
        complain("no JPEG or PNG picture in '\(settings.pictures)'; \(otherFolder)")
        return .failure
      }
      return makeThumbnails(of: folder, settings)
    } catch {
      complain("\(error); \(otherFolder)")
      return .failure
    }
  }

  @MainActor
  private static func makeThumbnails(of folder: PictureFolder, _ settings: Request.Settings) -> ExitCode {
    do {
      try OutputFolder.check(settings.output)
      try OutputFolder.check(settings.reports)
    } catch {
      complain("\(error); name another folder by --output=FOLDER or --reports=FOLDER")
      return .failure
    }
    return Show(folder, settings: settings).run()
  }

  private static let otherFolder = "name another folder by --pictures=FOLDER, or install mate-backgrounds"

  /// Says what is wrong, in one line on standard error.
  static func complain(_ text: String) { StandardStream.error.writeLine("Thumbs: \(text)") }
}
