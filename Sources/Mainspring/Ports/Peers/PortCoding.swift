extension RunLoop {
  /// How the messages of a port between processes become bytes, and bytes messages.
  ///
  /// The library `MainspringPorts` has one for everything that is `Codable`. One of your own is for those who have a format
  /// already.
  public struct PortCoding<Sent: Sendable, Received: Sendable>: Sendable {
    let encode: @Sendable (Sent, inout [UInt8]) throws -> Void
    let decode: @Sendable ([UInt8]) throws -> Received

    /// Makes one of two closures, which any thread calls, several at a time.
    ///
    /// - Parameters:
    ///   - encode: appends a message to bytes that it leaves as they are.
    ///   - decode: makes a message of bytes that may come from anywhere, and be anything.
    public init(
      encode: @escaping @Sendable (Sent, inout [UInt8]) throws -> Void,
      decode: @escaping @Sendable ([UInt8]) throws -> Received
    ) {
      self.encode = encode
      self.decode = decode
    }
  }
}

extension RunLoop.PortCoding where Sent == [UInt8], Received == [UInt8] {
  /// Messages that are bytes already.
  public static var bytes: Self { Self(encode: { $1 += $0 }, decode: { $0 }) }
}
