import Glibc
import LinuxKernel
import Mainspring

/// Who started the program as a service and wants to hear of it: systemd, or whoever speaks as it does.
///
/// The protocol is the one of `sd_notify(3)`: texts to the socket that the environment names. Any thread. What cannot be sent
/// is said by the result and harms nothing: a service runs without a supervisor, too.
public struct Supervisor: Sendable, Hashable {
  /// The socket's name, as the environment has it: a path, or `@` and an abstract name.
  public let socket: String
  /// How often it wants to hear of the program's being alive; nil if it does not watch this process.
  public let watchdogInterval: Duration?

  /// The supervisor that the environment names by `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; nil if there is none.
  public init?(environment: (String) -> String? = Self.variable) {
    guard let socket = environment("NOTIFY_SOCKET"), socket.hasPrefix("/") || socket.hasPrefix("@"),
      socket.utf8.count > 1
    else { return nil }
    self.socket = socket
    watchdogInterval = Self.interval(environment)
  }

  /// A variable of the process's environment.
  public static func variable(_ name: String) -> String? {
    // SAFETY: the text is copied before anybody else has a turn to change it.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }

  private static func interval(_ environment: (String) -> String?) -> Duration? {
    guard let microseconds = environment("WATCHDOG_USEC").flatMap({ Int64($0) }), microseconds > 0 else {
      return nil
    }
    // Children inherit the environment, and are not meant.
    if let process = environment("WATCHDOG_PID"), pid_t(process) != getpid() { return nil }
    return .microseconds(microseconds)
  }

  /// What it can be told.
  public enum Message: Sendable, Hashable {
    /// The service has set itself up: what was to wait for it may begin.
    case ready
    /// It begins to end.
    case stopping
    /// It reads its settings anew; `ready` follows.
    case reloading
    /// It is alive.
    case watchdog
    /// How it is, in a line that people read.
    case status(String)
    /// Its starting, reloading or ending goes on for so long at least.
    case extendTimeout(Duration)

    fileprivate var text: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .reloading:
        "RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now() / 1000)"
      case .watchdog: "WATCHDOG=1"
      case .status(let line): "STATUS=\(line.split(whereSeparator: \.isNewline).joined(separator: " "))"
      case .extendTimeout(let time): "EXTEND_TIMEOUT_USEC=\(max(0, time.saturatingNanoseconds) / 1000)"
      }
    }
  }

  /// Tells it something, or several things at once. Does not wait for a supervisor that has no room.
  ///
  /// - Returns: whether the supervisor's socket took it.
  /// - Complexity: three system calls.
  @discardableResult
  public func tell(_ messages: Message...) -> Bool { attempt(messages) == .told }

  enum Outcome {
    case told
    /// It reads slowly, or not at all.
    case hasNoRoom
    case failed
  }

  func attempt(_ messages: [Message]) -> Outcome {
    let text = messages.map(\.text).joined(separator: "\n")
    let isAbstract = socket.hasPrefix("@")
    do throws(KernelError) {
      try Datagram.send(text, to: isAbstract ? String(socket.dropFirst()) : socket, isAbstract: isAbstract)
      return .told
    } catch {
      return error == .wouldBlock ? .hasNoRoom : .failed
    }
  }
}
