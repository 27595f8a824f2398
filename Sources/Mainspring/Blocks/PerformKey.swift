extension RunLoop {
  /// What a block that waits for its turn is known by: a name, and perhaps the object whose block it is.
  ///
  /// ```swift
  /// let loop = RunLoop.current
  /// for word in ["s", "sw", "swift"] {
  ///   // Of what is typed quickly the last is looked for.
  ///   loop.perform(in: [.default], key: "look up", after: .milliseconds(300)) { print(word) }
  /// }
  /// loop.run()
  /// ```
  ///
  /// It prints
  ///
  /// ```text
  /// swift
  /// ```
  ///
  /// Names are compared with a lock held: their `==` and `hash(into:)` must not ask the loop for anything.
  public struct PerformKey: Hashable, Sendable, ExpressibleByStringLiteral {
    private let name: any Hashable & Sendable
    let target: ObjectIdentifier?

    /// A key that is a name, or a number, or whatever else is compared by its value.
    public init(_ name: some Hashable & Sendable) {
      self.name = name
      target = nil
    }

    /// The key of that name among those of an object.
    ///
    /// The object is not held: before it goes, `cancelPerforms(of:)` takes back what it asked for, if the blocks do not
    /// hold it themselves.
    public init(_ name: some Hashable & Sendable, of target: AnyObject) {
      self.name = name
      self.target = ObjectIdentifier(target)
    }

    /// The key of that name.
    public init(stringLiteral name: String) { self.init(name) }

    /// Whether they stand for the same.
    public static func == (one: Self, other: Self) -> Bool {
      one.target == other.target && AnyHashable(one.name) == AnyHashable(other.name)
    }

    /// Hashes what it stands for.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(target)
      hasher.combine(AnyHashable(name))
    }
  }
}
