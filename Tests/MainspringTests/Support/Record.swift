import LinuxKernel

/// What happened, in order, from whatever thread: handlers are `@Sendable` and cannot fill a local array.
///
/// Behind the loop's own lock, which the thread sanitizer understands.
final class Record<Element: Sendable>: Sendable {
  private let held = Locked<[Element]>([])

  func add(_ element: Element) { held.withLock { $0.append(element) } }

  var all: [Element] { held.withLock { $0 } }
  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }

  func clear() { held.withLock { $0 = [] } }
}

/// A value that a handler refers to before it exists: an item that its own handler uses, a result of a nested run.
final class Box<Value: Sendable>: Sendable {
  private let held = Locked<Value?>(nil)

  init(_ value: Value? = nil) { held.withLock { $0 = value } }

  var value: Value? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}
