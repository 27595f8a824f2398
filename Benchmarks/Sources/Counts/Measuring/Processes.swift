import Glibc

/// Programs that are run several at a time, each with its output in a file.
struct Processes {
  /// How many run at a time.
  let width: Int
  private var running: [pid_t: Int] = [:]

  /// Why a program could not be started.
  struct StartError: Error, CustomStringConvertible {
    let description: String
  }

  init() { width = max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))) }

  /// Runs all, the first ones first, and tells of each end: which, and whether it was a good one.
  mutating func run(
    _ commands: [(arguments: [String], output: String)], ended: (_ index: Int, _ isGood: Bool) throws -> Void
  ) throws {
    for (index, command) in commands.enumerated() {
      if running.count == width { try wait(ended) }
      running[try Self.start(command.arguments, output: command.output)] = index
    }
    while !running.isEmpty { try wait(ended) }
  }

  private mutating func wait(_ ended: (_ index: Int, _ isGood: Bool) throws -> Void) throws {
    var status: CInt = 0
    let process = unsafe waitpid(-1, &status, 0)
    guard process > 0, let index = running.removeValue(forKey: process) else { return }
    try ended(index, status == 0)
  }

  /// The same for each, whatever the caller's: addresses of hashed things and the size of what stands above the stack are
  /// in what is counted.
  private static let variables = [
    "PATH=/usr/local/bin:/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING=1", "SWIFT_BACKTRACE=enable=no",
  ]

  private static func start(_ arguments: [String], output: String) throws(StartError) -> pid_t {
    // SAFETY: made here, used by the calls below and taken apart at the end.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var process = pid_t()
    let result = unsafe withTexts(arguments) { arguments in
      unsafe withTexts(variables) { variables in
        unsafe posix_spawnp(&process, arguments[0]!, &actions, nil, arguments, variables)
      }
    }
    guard result == 0 else {
      throw StartError(description: "'\(arguments[0])' cannot be started: error \(result)")
    }
    return process
  }

  /// Calls `body` with texts as the C library takes lists of them.
  private static func withTexts<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    // SAFETY: copies that live until `body` has returned; the list ends in nil.
    var copies = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe copies.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
  }
}
