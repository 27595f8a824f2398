import Glibc
import Mainspring

/// This program once more, with the other end of a connection as its third descriptor.
final class Partner {
  private let process: pid_t
  private var end: RunLoop.PortEnd?

  init(_ arguments: [String]) throws {
    let pair = try RunLoop.PortEnd.makePair()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, pair.other.number, 3)
    let words = ["/proc/self/exe"] + arguments
    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    var made = pid_t()
    let result = unsafe posix_spawn(&made, "/proc/self/exe", &actions, nil, &pointers, environ)
    for index in words.indices { unsafe free(pointers[index]) }
    precondition(result == 0, "no process to be had: \(result)")
    process = made
    end = consume pair.one
  }

  func takeEnd() -> RunLoop.PortEnd { end.take()! }

  func reap() {
    var status: CInt = 0
    unsafe waitpid(process, &status, 0)
    precondition(status == 0, "the other process ended with \(status)")
  }
}
