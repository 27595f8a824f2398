import LinuxKernel

extension RunLoop {
  /// What a descriptor is ready for, or what became of it.
  public struct Readiness: OptionSet, Hashable, Sendable {
    /// A bit for each.
    public let rawValue: UInt8
    /// What these bits stand for.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is something to read, or the end of it.
    public static let read = Readiness(rawValue: 1)
    /// There is room to write.
    public static let write = Readiness(rawValue: 2)
    /// Urgent data, or whatever the kind of file calls exceptional.
    public static let priority = Readiness(rawValue: 4)
    /// An error is pending. Reported whether asked for or not.
    public static let error = Readiness(rawValue: 8)
    /// The other side has gone; there may still be something to read. Reported whether asked for or not.
    public static let hangUp = Readiness(rawValue: 16)
    /// The number was closed, or closed and given to another file, behind the loop's back. The source is
    /// invalid after this.
    public static let closed = Readiness(rawValue: 32)

    /// What can be asked for.
    static let askable: Readiness = [.read, .write, .priority]

    package var epollBits: UInt32 {
      (contains(.read) ? EpollBits.read | EpollBits.peerHangUp : 0)
        | (contains(.write) ? EpollBits.write : 0)
        | (contains(.priority) ? EpollBits.priority : 0)
    }

    init(epollBits bits: UInt32) {
      var readiness: Readiness = []
      if bits & EpollBits.read != 0 { readiness.insert(.read) }
      if bits & EpollBits.write != 0 { readiness.insert(.write) }
      if bits & EpollBits.priority != 0 { readiness.insert(.priority) }
      if bits & EpollBits.error != 0 { readiness.insert(.error) }
      if bits & (EpollBits.hangUp | EpollBits.peerHangUp) != 0 { readiness.insert(.hangUp) }
      self = readiness
    }
  }
}

extension RunLoop.Readiness: CustomStringConvertible {
  /// The names of what is in it, with spaces between.
  public var description: String {
    let names: [(RunLoop.Readiness, String)] = [
      (.read, "read"), (.write, "write"), (.priority, "priority"), (.error, "error"), (.hangUp, "hang-up"),
      (.closed, "closed"),
    ]
    return names.filter { contains($0.0) }.map { $0.1 }.joined(separator: " ")
  }
}
