/// How a program tells its caller what became of it.
public enum ExitCode: Int32, Sendable {
  /// All was done.
  case success = 0
  /// The command line was right, but it could not be done: a file is missing.
  case failure = 1
  /// The command line is wrong (EX_USAGE of sysexits.h); nothing was done.
  case usage = 64
}
