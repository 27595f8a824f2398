import LinuxKernel

extension RunLoop {
  /// The name under which a loop runs: only what was added to the mode, or to the common modes it belongs
  /// to, is served.
  ///
  /// A mode is a value: two modes of the same name are the same mode, however the name was made. A mode
  /// costs a loop nothing until something is added to it. The process keeps every name it has seen once.
  public struct Mode: Hashable, Sendable {
    /// The mode's place among all names of the process, small and dense.
    package let number: UInt32

    package init(number: UInt32) { self.number = number }

    /// The mode of that name. Any thread.
    ///
    /// - Complexity: one look-up under a lock; keep modes in constants where it matters.
    public init(_ name: String) { number = ModeNames.number(of: name) }

    /// What a loop runs in when nothing else is said.
    public static let `default` = Mode(number: 0)
    /// While the user drags or otherwise holds something: keeps work of the default mode away.
    public static let tracking = Mode(number: 1)
    /// While a program starts up, before its loop first runs in the default mode.
    public static let initialization = Mode(number: 2)
    /// A placeholder for every mode of a loop that was made common, now or later. A loop cannot run in it.
    public static let common = Mode(number: 3)

    /// The name.
    public var name: String { ModeNames.name(of: number) }

    /// The same from the program's first instruction on: `MainspringMainExecutor` makes the main loop before main, and in
    /// a program that the runtime is linked into that is before its hashes have got their seed. A set of modes that was
    /// made then would find nothing afterwards.
    public func _rawHashValue(seed: Int) -> Int {
      seed ^ Int(truncatingIfNeeded: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    }
  }
}

extension RunLoop.Mode: CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name.
  public var description: String { name }
  /// The mode of that name, as `Mode(_:)`.
  public init(stringLiteral name: String) { self.init(name) }
}

/// Every mode name of the process, numbered in the order of first use.
enum ModeNames {
  /// Makes the table, if nobody has named a mode yet.
  static func make() { _ = table }

  private struct Table {
    var names = ["default", "tracking", "initialization", "common"]
    /// Of the names behind the ready-made ones: empty as long as hashes have no seed.
    var numbers: [String: UInt32] = [:]
  }

  private static let table = Locked(Table()).heldAcrossForks()

  static func number(of name: String) -> UInt32 {
    table.withLock { table in
      if let readyMade = table.names[..<4].firstIndex(of: name) { return UInt32(readyMade) }
      if let known = table.numbers[name] { return known }
      let number = UInt32(table.names.count)
      table.names.append(name)
      table.numbers[name] = number
      return number
    }
  }

  static func name(of number: UInt32) -> String { table.withLock { $0.names[Int(number)] } }
}
