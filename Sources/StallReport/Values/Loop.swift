extension Report {
  /// The loop that stalled.
  public struct Loop: Sendable, Equatable {
    /// The loop's number in its process, counted from 1.
    public var id: Int
    /// The loop's name: `main` or what the program calls it.
    public var name: String
    /// Whose loop it is.
    public var kind: Kind
    /// The thread it runs on.
    public var thread: ThreadName
    /// The mode it ran in.
    public var mode: String?
    /// How many runs are on the thread's stack: 1 is not nested.
    public var nesting: Int

    /// A loop and where it runs.
    public init(
      id: Int, name: String, kind: Kind = .mainspring, thread: ThreadName, mode: String?, nesting: Int = 1
    ) {
      self.id = id
      self.name = name
      self.kind = kind
      self.thread = thread
      self.mode = mode
      self.nesting = nesting
    }

    /// The libraries whose loops are known.
    public enum Kind: String, Sendable, CaseIterable, JSONEncodable {
      /// Mainspring's own.
      case mainspring
      /// Foundation's.
      case cfRunLoop = "cfrunloop"
      /// SwiftNIO's event loop.
      case nio
      /// A serial dispatch queue.
      case dispatchQueue = "dispatch-queue"
      /// A Swift executor.
      case executor
      /// Any loop that waits by epoll, poll or select, watched from outside.
      case foreign
      /// A loop that the program marks itself.
      case custom
    }
  }

  /// A thread's number and name.
  public struct ThreadName: Sendable, Hashable {
    /// The kernel's number of the thread.
    public var tid: Int
    /// The name that the kernel knows, at most 15 bytes.
    public var name: String?

    /// The thread of this number and name.
    public init(tid: Int, name: String?) {
      self.tid = tid
      self.name = name
    }
  }
}

extension Report.Loop: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("name", name)
      json.member("kind", kind)
      json.member("thread") { json in
        json.object { json in
          json.member("tid", thread.tid)
          json.member("name", thread.name)
        }
      }
      json.member("mode", mode)
      json.member("nesting", nesting)
    }
  }
}
