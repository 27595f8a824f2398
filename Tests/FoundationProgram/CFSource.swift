import CoreFoundation

/// A version-0 source of CFRunLoop's.
final class CFSource: @unchecked Sendable {
  // Sendable: set once, before others see it; a source may be signalled from any thread.
  private var source: CFRunLoopSource?
  private let perform: @Sendable (CFSource) -> Void

  init(perform: @escaping @Sendable (CFSource) -> Void) {
    self.perform = perform
    // SAFETY: the program keeps its sources for as long as its loops run.
    var context = unsafe CFRunLoopSourceContext()
    unsafe context.info = Unmanaged.passRetained(self).toOpaque()
    unsafe context.perform = { info in
      let source = unsafe Unmanaged<CFSource>.fromOpaque(info!).takeUnretainedValue()
      source.perform(source)
    }
    source = unsafe CFRunLoopSourceCreate(nil, 0, &context)
  }

  func signal() { CFRunLoopSourceSignal(source) }

  func add(to mode: CFString) { CFRunLoopAddSource(CFRunLoopGetCurrent(), source, mode) }
}
