import CGLib
import Glibc
import Mainspring
import MainspringGLib
import Synchronization
import Testing

/// Runs a body on a thread of its own, with a loop and a context of its own, and waits for it.
func onOwnThread(_ body: @escaping @Sendable (RunLoop, GLibContext) throws -> Void) {
  let cargo = Cargo {
    do { try body(RunLoop.current, GLibContext()) } catch { Issue.record(error) }
  }
  var made = pthread_t()
  // SAFETY: the thread takes over the cargo's reference.
  unsafe pthread_create(
    &made, nil,
    { raw in
      unsafe Unmanaged<Cargo>.fromOpaque(raw!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(cargo).toOpaque())
  _ = pthread_join(made, nil)
}

private final class Cargo: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Counts, from whatever thread.
final class Counter: Sendable {
  private let word = Atomic<Int>(0)
  var value: Int { word.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func add() -> Int { word.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

extension GLibContext {
  /// Adds a source of GLib's that calls `body` until that says no.
  private func add(_ source: OpaquePointer?, _ body: @escaping @Sendable () -> Bool) {
    let call = Call(body)
    unsafe g_source_set_callback(
      source, { unsafe Unmanaged<Call>.fromOpaque($0!).takeUnretainedValue().body() ? 1 : 0 },
      Unmanaged.passRetained(call).toOpaque(), { unsafe Unmanaged<Call>.fromOpaque($0!).release() })
    unsafe g_source_attach(source, pointer)
    unsafe g_source_unref(source)
  }

  func addTimeout(_ milliseconds: UInt32, _ body: @escaping @Sendable () -> Bool) {
    unsafe add(g_timeout_source_new(milliseconds), body)
  }

  func addIdle(_ body: @escaping @Sendable () -> Bool) { unsafe add(g_idle_source_new(), body) }

  func watch(_ descriptor: CInt, for events: CInt = POLLIN, _ body: @escaping @Sendable (CInt) -> Bool) {
    let source = unsafe g_unix_fd_source_new(descriptor, UInt32(events))
    let call = DescriptorCall(body)
    unsafe glib_set_descriptor_call(
      source!,
      { descriptor, _, data in
        unsafe Unmanaged<DescriptorCall>.fromOpaque(data!).takeUnretainedValue().body(descriptor) ? 1 : 0
      }, Unmanaged.passRetained(call).toOpaque(),
      { unsafe Unmanaged<DescriptorCall>.fromOpaque($0!).release() })
    unsafe g_source_attach(source, pointer)
    unsafe g_source_unref(source)
  }

  /// Lets GLib's own loop run the context until then.
  func iterate(until isDone: () -> Bool) {
    while !isDone() { unsafe g_main_context_iteration(pointer, 1) }
  }
}

private final class Call: Sendable {
  let body: @Sendable () -> Bool
  init(_ body: @escaping @Sendable () -> Bool) { self.body = body }
}

private final class DescriptorCall: Sendable {
  let body: @Sendable (CInt) -> Bool
  init(_ body: @escaping @Sendable (CInt) -> Bool) { self.body = body }
}
