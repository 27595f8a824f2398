extension RunLoop.IdleQueue {
  /// What a task is known by, to be replaced or cancelled: the cell that it loads a picture for, say. Any value that can be
  /// compared.
  ///
  /// Numbers and texts are the cheapest. Keys of different types are different: that of the `Int` 1 is not that of the `UInt8` 1.
  public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// What nearly all keys are stands as it is; asking a value at run time what it is costs more than the rest of adding.
    private enum Value: Sendable {
      case number(Int)
      case text(String)
      case other(any Hashable & Sendable)
    }

    private let value: Value

    /// The key of a value. Keys of equal values of one type are equal.
    public init<Kind: Hashable & Sendable>(_ value: Kind) {
      // Asked of the type: an optional number would answer for the number.
      self.value =
        if Kind.self == Int.self, let number = value as? Int {
          .number(number)
        } else if Kind.self == String.self, let text = value as? String {
          .text(text)
        } else {
          .other(value)
        }
    }
    /// The key of that text.
    public init(stringLiteral text: String) { value = .text(text) }
    /// The key of that number.
    public init(integerLiteral number: Int) { value = .number(number) }

    /// Whether the values are equal, and of one type.
    public static func == (a: Key, b: Key) -> Bool {
      switch (a.value, b.value) {
      case (.number(let a), .number(let b)): a == b
      case (.text(let a), .text(let b)): a == b
      case (.other(let a), .other(let b)): isEqual(a, b)
      default: false
      }
    }
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
      switch value {
      case .number(let number): hasher.combine(number)
      case .text(let text): hasher.combine(text)
      case .other(let value): value.hash(into: &hasher)
      }
    }

    private static func isEqual<A: Hashable>(_ a: A, _ b: any Hashable & Sendable) -> Bool {
      type(of: b) == A.self && b as? A == a
    }
  }
}
