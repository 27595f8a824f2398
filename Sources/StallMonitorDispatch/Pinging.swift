/// When a watched dispatch queue is asked whether it still does what it is given.
public enum Pinging: Sendable, Equatable {
  /// Never: only what goes through the queue's adapter is watched. An idle queue costs nothing.
  case never
  /// While it seems to be in use: from each use of its adapter on, until some pings in a row found it idle. An idle queue
  /// costs nothing. What others give to it while it is not in use is not seen.
  case whileInUse
  /// As before, and once a second while it seems to be idle: for a queue that others use, like the main one. Of what lasts
  /// less than a second and a threshold some is missed.
  case always
}
