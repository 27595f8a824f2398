extension RunLoop {
  /// How the messages of a port between processes become bytes, and bytes messages.
  ///
  /// The library `MainspringPorts` has one for everything that is `Codable`. One of your own is for those who have a format
  /// already.
  public struct PortCoding<Sent: Sendable, Received: Sendable>: Sendable {
    private let toBytes: @Sendable (Sent, inout [UInt8]) throws -> Void
    private let fromBytes: @Sendable ([UInt8]) throws -> Received

    /// Makes one of two closures, which any thread calls, several at a time.
    ///
    /// - Parameters:
    ///   - encode: appends a message to bytes that it leaves as they are.
    ///   - decode: makes a message of bytes that may come from anywhere, and be anything.
    public init(
      encode: @escaping @Sendable (Sent, inout [UInt8]) throws -> Void,
      decode: @escaping @Sendable ([UInt8]) throws -> Received
    ) {
      toBytes = encode
      fromBytes = decode
    }

    /// Appends a message to bytes.
    ///
    /// - Throws: what the coding does.
    public func encode(_ message: Sent, into bytes: inout [UInt8]) throws { try toBytes(message, &bytes) }

    /// Makes a message of bytes.
    ///
    /// - Throws: what the coding does.
    public func decode(_ bytes: [UInt8]) throws -> Received { try fromBytes(bytes) }
  }
}

extension RunLoop.PortCoding where Sent == [UInt8], Received == [UInt8] {
  /// Messages that are bytes already.
  public static var bytes: Self { Self(encode: { $1 += $0 }, decode: { $0 }) }
}
