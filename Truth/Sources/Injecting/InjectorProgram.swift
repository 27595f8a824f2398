import CHostility
import CommandLineOptions
import Glibc

/// What every injector does with its command line.
package enum InjectorProgram {
  /// - Parameter body: makes the injections, and does not come back.
  package static func main(
    named name: String, optionsOfBaselines: Bool, _ body: (Request) throws -> Never
  ) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 3, arguments[0] == "--helper", let parent = pid_t(arguments[2]) {
      exit(helper_main(arguments[1], parent))
    }
    StandardStream.guardDescriptors()
    do {
      let command = RequestSyntax(program: name, hasBaselines: optionsOfBaselines)
      guard let request = try command.request(arguments) else {
        StandardStream.output.write(command.help)
        exit(ExitCode.success.rawValue)
      }
      try body(request)
    } catch let error as UsageError {
      complain("\(error)", as: name)
      exit(ExitCode.usage.rawValue)
    } catch {
      complain("\(error)", as: name)
      exit(ExitCode.failure.rawValue)
    }
  }

  static func complain(_ text: String, as name: String) { StandardStream.error.write("\(name): \(text)\n") }
}
