extension Report {
  /// A thread of the process at the time of the report.
  public struct Thread: Sendable, Equatable {
    /// The kernel's number of the thread and its name.
    public var name: ThreadName
    /// Whether it is the one that stalled.
    public var isStalled: Bool
    /// The scheduler's letter.
    public var state: Character?
    /// Time on a processor during the stall.
    public var cpu: Duration?
    /// The index of its stack in ``StackTable/stacks``.
    public var stack: Int?
    /// The registers' values by name; only of the stalled thread.
    public var registers: [String: UInt64]?
    /// What it waits on.
    public var waitsOn: WaitTarget?

    /// A thread of which no more is known yet.
    public init(name: ThreadName, isStalled: Bool) {
      self.name = name
      self.isStalled = isStalled
    }
  }

  /// What a thread waits on.
  public struct WaitTarget: Sendable, Equatable {
    /// `futex`, `pipe`, …
    public var kind: String
    /// The address of what it waits on.
    public var address: UInt64?
    /// The thread that holds it.
    public var owner: Int?

    /// A target of this kind.
    public init(kind: String, address: UInt64? = nil, owner: Int? = nil) {
      self.kind = kind
      self.address = address
      self.owner = owner
    }
  }

  /// Who waits on whom.
  public struct Waits: Sendable, Equatable {
    /// The threads of a deadlock, in order; `nil` if none was found.
    public var cycle: [Int]?
    /// Each thread that waits on another.
    public var edges: [Edge] = []

    /// No waits known.
    public init() {}

    /// One thread that waits on another.
    public struct Edge: Sendable, Equatable {
      /// The thread that waits.
      public var waiter: Int
      /// The thread waited on.
      public var owner: Int
      /// What sort of wait it is.
      public var kind: String

      /// A wait of one thread on another.
      public init(waiter: Int, owner: Int, kind: String) {
        self.waiter = waiter
        self.owner = owner
        self.kind = kind
      }
    }
  }
}

extension Report.Thread: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("tid", name.tid)
      json.member("name", name.name)
      json.member("stalled", isStalled)
      json.member("state", state.map(String.init))
      json.member("cpu_ms", milliseconds: cpu)
      json.member("stack", stack)
      if let registers {
        json.member("registers") { json in
          json.object { json in
            for (register, value) in registers.sorted(by: { $0.key < $1.key }) {
              json.member(register, Hexadecimal.address(value))
            }
          }
        }
      }
      json.memberIfKnown("waits_on", waitsOn)
    }
  }
}

extension Report.WaitTarget: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("kind", kind)
      json.member("addr", address.map(Hexadecimal.address))
      json.member("owner_tid", owner)
    }
  }
}

extension Report.Waits: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("cycle", cycle)
      json.member("edges", edges)
    }
  }
}

extension Report.Waits.Edge: JSONEncodable {
  public func encode(to json: inout JSONWriter) { json.triple(waiter, owner, kind) }
}

extension JSONWriter {
  fileprivate mutating func triple(_ first: Int, _ second: Int, _ third: String) {
    array([Cell.number(first), .number(second), .text(third)])
  }

  private enum Cell: JSONEncodable {
    case number(Int)
    case text(String)

    func encode(to json: inout JSONWriter) {
      switch self {
      case .number(let value): value.encode(to: &json)
      case .text(let value): value.encode(to: &json)
      }
    }
  }
}
