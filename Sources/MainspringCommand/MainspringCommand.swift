import CommandLineOptions
import Glibc

/// The program `mainspring`: everything is checked first, then done, then told by the exit code.
@main
struct MainspringCommand {
  static func main() {
    StandardStream.guardDescriptors()
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    do throws(UsageError) {
      let invocation = try Invocation(arguments)
      return perform(invocation)
    } catch {
      StandardStream.error.writeLine("mainspring: \(error)")
      return .usage
    }
  }

  private static func perform(_ invocation: Invocation) -> ExitCode {
    switch invocation {
    case .show(let text):
      if StandardStream.output.write(text) { return .success }
      StandardStream.error.writeLine("mainspring: standard output cannot be written")
      return .failure
    case .run(let command):
      do throws(Failure) {
        try command.run()
        return .success
      } catch {
        StandardStream.error.writeLine("mainspring: \(error.reason)")
        return .failure
      }
    }
  }
}
