import Foundation

/// How a program ended.
enum Outcome: Equatable {
  case exited(Int32)
  case crashed(signal: Int32)
  case timedOut
}

/// What the system says against starting a program.
struct LaunchError: Error, CustomStringConvertible {
  let program: String
  let code: Int32
  var description: String { "\(program) cannot be started: \(String(cString: strerror(code)))" }
}

/// Runs a program to its end, its output in a file: a pipe would stay open as long as anything that it started.
///
/// Not by Foundation's `Process`, whose children are not interrupted with this program.
///
/// - Parameters:
///   - limit: seconds; after that the program goes with all that it started.
///   - isEnough: whether the output so far tells all that is to be known; then the program goes, too.
func launch(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], limit: Double? = nil,
  log: URL, until isEnough: (() -> Bool)? = nil
) throws -> Outcome {
  let guarded = limit.map { ["timeout", "--kill-after=1", String($0)] } ?? []
  let words = guarded + [program] + arguments
  let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 1, log.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  posix_spawn_file_actions_adddup2(&actions, 1, 2)
  var process: pid_t = 0
  let code = withStrings(words) { words in
    withStrings(settings) { settings in posix_spawnp(&process, words[0]!, &actions, nil, words, settings) }
  }
  guard code == 0 else { throw LaunchError(program: words[0], code: code) }
  var status: Int32 = 0
  if let isEnough {
    while waitpid(process, &status, WNOHANG) == 0 {
      usleep(20_000)
      if isEnough() {
        kill(process, SIGTERM)
        break
      }
    }
    // What follows finds nothing where the loop has met the end.
  }
  while waitpid(process, &status, 0) < 0, errno == EINTR {}
  if status & 0x7F != 0 { return .crashed(signal: status & 0x7F) }
  let exit = status >> 8 & 0xFF
  if limit != nil, exit == 124 || exit == 137 { return .timedOut }
  return exit > 128 ? .crashed(signal: exit - 128) : .exited(exit)
}

private func withStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = strings.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
