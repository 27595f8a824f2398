import Glibc

/// One of the streams that every program starts with.
public enum StandardStream: CInt, Sendable {
  /// What the program was asked for.
  case output = 1
  /// What went wrong.
  case error = 2

  /// Writes the whole of `text`, unbuffered; from any thread, but lines of two threads may mix.
  ///
  /// - Returns: Whether all of it could be written. A closed pipe usually ends the program (SIGPIPE).
  @discardableResult
  public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes all of `bytes`, as the other one does.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      // SAFETY: the call reads within `bytes`, which outlives it.
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe Glibc.write(rawValue, rest.baseAddress, rest.count)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Writes `text` as one line, whatever it contains, and the line feed.
  @discardableResult
  public func writeLine(_ text: String) -> Bool { write(text.onOneLine + "\n") }

  /// Sees that descriptors 0 to 2 are open, lest what is opened next gets one of their numbers and then what is
  /// written for people. Writing to one that was closed still fails. To be called before anything else.
  public static func guardDescriptors() {
    while true {
      // SAFETY: the path is a literal.
      let descriptor = unsafe open("/dev/null", O_RDONLY)
      if descriptor > 2 || descriptor < 0 {
        if descriptor > 2 { close(descriptor) }
        return
      }
    }
  }

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether to write colours: it is a terminal that has them, and NO_COLOR is unset or empty.
  public var hasColors: Bool {
    let isRefused = Environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return canRedraw && !isRefused
  }

  /// Whether a line can be written over: it is a terminal, and not one that only types.
  public var canRedraw: Bool { isTerminal && Environment["TERM"] != "dumb" }

  /// The terminal's width in columns, or `nil` if it is not a terminal or does not tell.
  public var columns: Int? {
    var size = winsize()
    // SAFETY: the call writes one winsize, which outlives it.
    let result = unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}

/// The variables that the program was started with.
enum Environment {
  static subscript(name: String) -> String? {
    // SAFETY: getenv answers nil or a text that ends in zero; nothing here sets variables while it is copied.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
