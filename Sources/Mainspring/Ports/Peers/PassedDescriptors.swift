import LinuxKernel

extension RunLoop {
  /// A descriptor that has one owner: closed with it, unless it is given away.
  public struct PassedDescriptor: ~Copyable, Sendable {
    /// The descriptor's number. Good as long as this lives.
    public let number: CInt

    /// Takes a descriptor over.
    ///
    /// - Precondition: the number is not negative, and nobody else closes it.
    public init(adopting number: CInt) {
      require(number >= 0, "not a descriptor: \(number)")
      self.number = number
    }

    /// Opens a descriptor's file once more, closed by exec; the given one stays the caller's.
    ///
    /// - Throws: `.noDescriptorLeft`, `.refused` if it is not open.
    public init(duplicating number: CInt) throws(PortError) {
      do throws(KernelError) {
        self.number = try PacketSocket.duplicate(number)
      } catch {
        throw PortError(error)
      }
    }

    /// Gives the descriptor to the caller, who closes it.
    public consuming func release() -> CInt {
      let given = number
      discard self
      return given
    }

    deinit { PacketSocket.close(number) }
  }

  /// The descriptors that go with a message, or came with one. Those that nobody takes are closed with the last reference
  /// to this. Any thread.
  public final class PassedDescriptors: Sendable {
    private let numbers: Locked<[CInt]>

    /// The most that one message passes.
    public static let countMax = PacketSocket.descriptorCountMax

    /// None at first.
    public convenience init() { self.init([]) }

    init(_ numbers: [CInt]) { self.numbers = Locked(numbers) }

    deinit { for number in takeAll() { PacketSocket.close(number) } }

    /// Puts one behind the others.
    public func append(_ descriptor: consuming PassedDescriptor) {
      let number = descriptor.release()
      numbers.withLock { $0.append(number) }
    }

    /// How many nobody has taken.
    public var count: Int { numbers.withLock { $0.count } }

    /// Takes the first of those that are left; nil if none is.
    public func take() -> PassedDescriptor? {
      guard let number = numbers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
      return PassedDescriptor(adopting: number)
    }

    /// The numbers, which stay here.
    func peek() -> [CInt] { numbers.withLock { $0 } }

    func takeAll() -> [CInt] {
      numbers.withLock { numbers in
        defer { numbers = [] }
        return numbers
      }
    }

    /// After all, they are not sent.
    func putBack(_ all: [CInt]) { numbers.withLock { $0 = all + $0 } }
  }
}
