/// What a thread waits for in the kernel, and who could end the wait, as far as it is known.
package struct WaitTarget: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    // Words in memory.
    case futex, mutex
    /// A lock whose holder the kernel knows.
    case priorityMutex = "pi-mutex"
    case rwlock
    /// Another thread's end: pthread_join.
    case threadEnd = "thread-end"
    // Descriptors, by what is behind them.
    case pipe, socket, file, device, terminal, eventfd, timerfd, signalfd, inotify, epoll
    /// Several descriptors at once, or one of no known kind.
    case descriptors = "descriptor"
    // The rest.
    case fileLock = "file-lock"
    case storage, memory, child, sleep, signal, semaphore
    case messageQueue = "message-queue"
    case ring = "io-ring"
    /// A page that has to be read first, outside of any call.
    case page
  }

  package var kind: Kind
  /// Of the word that it sleeps on.
  package var address: UInt64?
  /// The thread of this process that holds it.
  package var owner: Int32?
  /// Whether the owner is read out of another library's memory: likely, not certain.
  package var isOwnerHint = false
  /// The child process whose end it waits for.
  package var process: Int32?
  /// Whether the wait ends by itself after some time.
  package var isTimed = false

  package init(_ kind: Kind, address: UInt64? = nil, owner: Int32? = nil) {
    self.kind = kind
    self.address = address
    self.owner = owner
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.kind == b.kind && a.address == b.address && a.owner == b.owner && a.process == b.process
  }
}
