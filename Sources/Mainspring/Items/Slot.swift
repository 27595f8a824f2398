/// Holds a handler so that calling it costs no reference counting, and frees it as soon as that is safe.
///
/// A handler may give itself up while it runs (a timer that invalidates itself); its closure then lives until
/// the last callout on the stack has returned, and not longer. Only on the loop's thread.
@safe final class Slot<Argument> {
  // SAFETY: `body` points to an initialized closure until `free` runs, and `free` runs only while `depth` is
  // zero, so the closure outlives every call through it.
  @exclusivity(unchecked) private var body: UnsafeMutablePointer<Body>?
  @safe @exclusivity(unchecked) private var depth = 0
  @safe @exclusivity(unchecked) private var isGivenUp = false

  /// Called once the closure is freed.
  private var whenFreed: [() -> Void] = []

  private struct Body: ~Copyable {
    let call: @Sendable (Argument) -> Void
  }

  init(_ call: @escaping @Sendable (Argument) -> Void) {
    unsafe body = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe body!.initialize(to: Body(call: call))
  }

  deinit { free() }

  /// Whether a callout of this handler is on the stack.
  var isInCallout: Bool { depth > 0 }

  @inline(__always)
  func call(_ argument: Argument) {
    guard let body = unsafe body else { return }
    depth &+= 1
    unsafe body.pointee.call(argument)
    depth &-= 1
    if isGivenUp, depth == 0 { free() }
  }

  /// Frees the closure, at once or after the last callout that is on.
  func giveUp() {
    isGivenUp = true
    if depth == 0 { free() }
  }

  /// Opens the departure after the last callout that is on: at once if none is.
  func report(to departure: Departure) {
    guard depth > 0 else { return }
    departure.expectCallout()
    whenFreed.append { departure.note() }
  }

  private func free() {
    guard let freed = unsafe body else { return }
    unsafe body = nil
    unsafe freed.deinitialize(count: 1)
    unsafe freed.deallocate()
    let told = whenFreed
    whenFreed = []
    for tell in told { tell() }
  }
}
