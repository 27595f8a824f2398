import CoreFoundation
import Foundation

/// What a CFRunLoopSource has behind its pointer.
///
/// Kept for the life of the process: what a source of CFRunLoop's frees, and when, is not what is compared.
private final class SourceContent {
  let perform: @Sendable () -> Void
  let onSchedule: (@Sendable () -> Void)?
  let onCancel: (@Sendable () -> Void)?
  let descriptor: CInt

  init(
    descriptor: CInt = -1, onSchedule: (@Sendable () -> Void)? = nil, onCancel: (@Sendable () -> Void)? = nil,
    perform: @escaping @Sendable () -> Void
  ) {
    self.descriptor = descriptor
    self.onSchedule = onSchedule
    self.onCancel = onCancel
    self.perform = perform
  }

  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// SAFETY: `pointer` retained what it points to, and nobody releases it.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> SourceContent {
    unsafe Unmanaged<SourceContent>.fromOpaque(pointer!).takeUnretainedValue()
  }
}

extension CoreFoundationLoop {
  func addSource(
    order: Int, to mode: Mode, onSchedule: (@Sendable () -> Void)?, onCancel: (@Sendable () -> Void)?,
    perform: @escaping @Sendable () -> Void
  ) -> Source {
    let content = SourceContent(onSchedule: onSchedule, onCancel: onCancel, perform: perform)
    // SAFETY: the functions are given the pointer of the context that they stand in.
    return unsafe addSource(order: order, to: mode) { context in
      unsafe context.info = content.pointer
      unsafe context.perform = { unsafe SourceContent.at($0).perform() }
      unsafe context.schedule = { info, _, _ in unsafe SourceContent.at(info).onSchedule?() }
      unsafe context.cancel = { info, _, _ in unsafe SourceContent.at(info).onCancel?() }
    }
  }

  /// Adds a version-0 source whose context `fill` fills.
  @unsafe func addSource(order: Int, to mode: Mode, _ fill: (inout CFRunLoopSourceContext) -> Void) -> Source
  {
    var context = unsafe CFRunLoopSourceContext()
    unsafe fill(&context)
    let source = unsafe CFRunLoopSourceCreate(nil, order, &context)!
    CFRunLoopAddSource(loop, source, mode.name)
    return Source(loop: loop, source: source)
  }

  /// A version-1 source: on Linux its port is a descriptor.
  func addReadable(_ descriptor: CInt, to mode: Mode, handler: @escaping @Sendable () -> Void) -> Source {
    let content = SourceContent(descriptor: descriptor, perform: handler)
    // SAFETY: as above; a version-1 context begins as a version-0 one does and says that it is one of version 1.
    let source = unsafe CFRunLoopSourceContext1(
      version: 1, info: content.pointer, getPort: { unsafe SourceContent.at($0).descriptor },
      perform: { unsafe SourceContent.at($0).perform() }
    ).makeSource()
    CFRunLoopAddSource(loop, source, mode.name)
    return Source(loop: loop, source: source)
  }
}

extension CFRunLoopSourceContext1 {
  fileprivate init(
    version: CFIndex, info: UnsafeMutableRawPointer,
    getPort: @escaping @convention(c) (UnsafeMutableRawPointer?) -> CInt,
    perform: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) {
    unsafe self.init()
    unsafe self.version = version
    unsafe self.info = unsafe info
    unsafe self.getPort = unsafe getPort
    unsafe self.perform = unsafe perform
  }

  fileprivate func makeSource() -> CFRunLoopSource {
    var context = unsafe self
    return unsafe withUnsafeMutablePointer(to: &context) { pointer in
      unsafe pointer.withMemoryRebound(to: CFRunLoopSourceContext.self, capacity: 1) {
        unsafe CFRunLoopSourceCreate(nil, 0, $0)!
      }
    }
  }
}
