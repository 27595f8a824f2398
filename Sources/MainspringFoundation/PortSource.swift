import CoreFoundation

/// A source of CFRunLoop's that watches a descriptor: one of version 1, whose port is a descriptor on Linux. It is
/// registered edge-triggered, and CFRunLoop reads eight bytes of it before it performs.
///
/// Belongs to the thread of the loop that it is in, but for invalidating.
final class PortSource {
  private let source: CFRunLoopSource

  /// What the source holds.
  private final class Content {
    let descriptor: CInt
    let perform: () -> Void

    init(_ descriptor: CInt, _ perform: @escaping () -> Void) {
      self.descriptor = descriptor
      self.perform = perform
    }
  }

  init(_ descriptor: CInt, perform: @escaping () -> Void) {
    let content = Content(descriptor, perform)
    var context = unsafe CFRunLoopSourceContext1()
    unsafe context.version = 1
    unsafe context.info = Unmanaged.passUnretained(content).toOpaque()
    unsafe context.retain = { info in
      // SAFETY: the info is a content.
      unsafe info.map { _ = unsafe Unmanaged<Content>.fromOpaque($0).retain() }
      return unsafe info
    }
    // SAFETY: the same, once for each retain.
    unsafe context.release = { info in unsafe info.map { unsafe Unmanaged<Content>.fromOpaque($0).release() }
    }
    // SAFETY: the source keeps the content for as long as it calls these.
    unsafe context.getPort = { info in
      unsafe Unmanaged<Content>.fromOpaque(info!).takeUnretainedValue().descriptor
    }
    unsafe context.perform = { info in
      unsafe Unmanaged<Content>.fromOpaque(info!).takeUnretainedValue().perform()
    }
    // SAFETY: a context of version 1 begins as one of version 0 does, says that it is one, and is copied by the call.
    source = unsafe withUnsafeMutablePointer(to: &context) { pointer in
      unsafe pointer.withMemoryRebound(to: CFRunLoopSourceContext.self, capacity: 1) {
        unsafe CFRunLoopSourceCreate(nil, 0, $0)
      }
    }
  }

  func add(to loop: CFRunLoop, _ mode: CFString) { CFRunLoopAddSource(loop, source, mode) }

  /// Any thread: what it holds is released, and its loop no longer watches the descriptor.
  func invalidate() { CFRunLoopSourceInvalidate(source) }
}
