public import Mainspring

extension RunLoop.PortCoding where Sent: Encodable, Received: Decodable {
  /// Messages in CBOR (RFC 8949), as far as it is needed: any language has a library that reads and writes it.
  ///
  /// Structures and dictionaries are maps whose keys are texts, `[UInt8]` is a byte string, all other collections are
  /// arrays, integers and lengths take as many bytes as they need, floating-point numbers keep their width and every bit.
  /// Equal messages give equal bytes, but for what has no order: sets, and dictionaries whose keys are neither texts nor
  /// numbers.
  ///
  /// What is read may have its keys in any order, its numbers in any width, half-precision ones among them (a `Float` is
  /// the nearest to what was sent), and whole numbers where fractions could be. It may not have tags, lengths that are told
  /// at the end, keys that are no texts or are there twice, or more than 64 levels; such is no message, and nothing that is
  /// read makes the program trap. What it takes to read is at most 64 times the message's bytes, besides what the type
  /// itself makes of them.
  public static var codable: Self {
    Self(
      encode: { message, bytes in bytes = try MessageCoding.encode(message, behind: bytes) },
      decode: { bytes in try MessageCoding.decode(Received.self, from: bytes) })
  }
}

extension RunLoop.PeerPort where Sent: Encodable, Received: Decodable {
  /// A port for `Codable` messages that tells a handler what comes.
  ///
  /// - Parameters:
  ///   - end: of the connection; the port's from here on, and closed with it.
  ///   - sizeLimit: the most bytes of a message that are taken; the other side is told, and does not send more.
  ///   - capacity: the most messages that may wait where the other side does not read; a sender is told when it is reached.
  ///   - order: smaller numbers are served first within what one look found ready.
  ///   - handler: called on the loop's thread.
  /// - Precondition: the size limit is 1024 to 262,144 bytes, and the capacity above zero.
  public convenience init(
    _ end: consuming RunLoop.PortEnd, sizeLimit: Int = 65536, capacity: Int = 64, order: Int = 0,
    file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (RunLoop.PeerPort<Sent, Received>, Event) -> Void
  ) {
    self.init(
      end, coding: .codable, sizeLimit: sizeLimit, capacity: capacity, order: order, file: file, line: line,
      handler: handler)
  }

  /// A port for `Codable` messages that a task takes, by `deliveries`.
  ///
  /// - Parameters:
  ///   - end: of the connection; the port's from here on, and closed with it.
  ///   - buffering: how many messages are read before the task takes them.
  ///   - sizeLimit: the most bytes of a message that are taken; the other side is told, and does not send more.
  ///   - capacity: the most messages that may wait where the other side does not read; a sender is told when it is reached.
  ///   - order: smaller numbers are served first within what one look found ready.
  ///   - onRefusal: called on the loop's thread for each packet that is not taken.
  /// - Precondition: the size limit is 1024 to 262,144 bytes; the capacity and the buffer are above zero.
  public convenience init(
    _ end: consuming RunLoop.PortEnd, buffering: Int, sizeLimit: Int = 65536, capacity: Int = 64,
    order: Int = 0,
    file: StaticString = #fileID, line: UInt = #line,
    onRefusal: @escaping @Sendable (RunLoop.PeerPort<Sent, Received>, RunLoop.PortRefusal) -> Void = { _, _ in
    }
  ) {
    self.init(
      end, coding: .codable, buffering: buffering, sizeLimit: sizeLimit, capacity: capacity, order: order,
      file: file, line: line, onRefusal: onRefusal)
  }
}
