// A handler is a closure of the user's in an item: called without counting references, freed while the item lives on.
//
// It is stored in the item itself and called through a borrowing method; a closure that were read out of the item's
// property first would be retained for each call. There is one type for each kind of item, not a generic one: closures
// of a generic type are called through a thunk that passes everything in memory.
//
// Whoever frees one, by `take(_:leaving:)`, sees to it that no call is on (`Item.calloutEnded`). Only on the loop's
// thread, and on the maker's before there is a loop.

/// Takes a handler out of its place, for the caller to let it go.
///
/// Not by putting another in its place, which would free this one where it stands: what it holds ends with it, and that is
/// the user's code, which may come back to free it once more.
func take<Handler: ~Copyable>(_ handler: inout Handler, leaving none: consuming Handler) -> Handler {
  var taken = none
  swap(&handler, &taken)
  return taken
}

struct TimerHandler: ~Copyable {
  private let call: @Sendable (RunLoop.Timer) -> Void

  init(_ call: @escaping @Sendable (RunLoop.Timer) -> Void) { self.call = call }

  static var none: TimerHandler { TimerHandler { _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ timer: RunLoop.Timer) { call(timer) }
}

struct SourceHandler: ~Copyable {
  private let call: @Sendable (RunLoop.Source) -> Void

  init(_ call: @escaping @Sendable (RunLoop.Source) -> Void) { self.call = call }

  static var none: SourceHandler { SourceHandler { _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ source: RunLoop.Source) { call(source) }
}

/// What a source is told as it comes into a mode or leaves it.
struct ModeChangeHandler: ~Copyable {
  private let call: @Sendable (RunLoop.Source, RunLoop.Mode) -> Void

  init(_ call: @escaping @Sendable (RunLoop.Source, RunLoop.Mode) -> Void) { self.call = call }

  static var none: ModeChangeHandler { ModeChangeHandler { _, _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ source: RunLoop.Source, _ mode: RunLoop.Mode) { call(source, mode) }
}

struct ObserverHandler: ~Copyable {
  private let call: @Sendable (RunLoop.Observer, RunLoop.Activity) -> Void

  init(_ call: @escaping @Sendable (RunLoop.Observer, RunLoop.Activity) -> Void) { self.call = call }

  static var none: ObserverHandler { ObserverHandler { _, _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ observer: RunLoop.Observer, _ activity: RunLoop.Activity) {
    call(observer, activity)
  }
}

struct DescriptorHandler: ~Copyable {
  private let call: @Sendable (RunLoop.DescriptorSource, RunLoop.Readiness) -> Void

  init(_ call: @escaping @Sendable (RunLoop.DescriptorSource, RunLoop.Readiness) -> Void) { self.call = call }

  static var none: DescriptorHandler { DescriptorHandler { _, _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ source: RunLoop.DescriptorSource, _ readiness: RunLoop.Readiness) {
    call(source, readiness)
  }
}

struct PortHandler<Message: Sendable>: ~Copyable {
  private let call: @Sendable (RunLoop.Port<Message>, Message) -> Void

  init(_ call: @escaping @Sendable (RunLoop.Port<Message>, Message) -> Void) { self.call = call }

  static var none: PortHandler { PortHandler { _, _ in } }

  @inline(__always)
  borrowing func callAsFunction(_ port: RunLoop.Port<Message>, _ message: Message) { call(port, message) }
}
