// For the types of sets, which the compiler takes for that module's or for Glibc's, as it comes.
import CLinuxKernel
import Glibc

/// The programs that tests start. Each lets every signal through: one that blocked what the thread here blocks could not be
/// ended.
package enum ChildProcess {
  /// Where one of its descriptors leads.
  package enum Redirection {
    case from(CInt, to: CInt)
    case toNowhere(CInt)
  }

  package struct Failure: Error {
    let words: [String]
    let number: CInt
  }

  /// Starts a program, found as a shell finds it.
  ///
  /// - Parameters:
  ///   - redirections: in this order.
  ///   - environment: that of this process, unless said otherwise.
  package static func start(
    _ words: [String], _ redirections: [Redirection], environment: [String]? = nil
  ) throws -> CInt {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for redirection in redirections {
      switch redirection {
      case .from(let source, let target): unsafe posix_spawn_file_actions_adddup2(&actions, source, target)
      case .toNowhere(let target):
        unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe withUnsafeTemporaryAllocation(of: sigset_t.self, capacity: 1) { none in
      unsafe sigemptyset(none.baseAddress!)
      unsafe posix_spawnattr_setsigmask(&attributes, none.baseAddress!)
    }
    unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK))
    var made = pid_t()
    // SAFETY: the strings live until the call has returned.
    let result = unsafe withStrings(words) { words in
      guard let environment else {
        return unsafe posix_spawnp(&made, words[0]!, &actions, &attributes, words, environ)
      }
      return unsafe withStrings(environment) {
        unsafe posix_spawnp(&made, words[0]!, &actions, &attributes, words, $0)
      }
    }
    guard result == 0 else { throw Failure(words: words, number: result) }
    return made
  }

  /// Lends a list of strings as C has it, ended by none.
  private static func withStrings(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
  ) -> CInt {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { for index in strings.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
  }
}
