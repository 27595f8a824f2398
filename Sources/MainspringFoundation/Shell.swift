import CoreFoundation
import Mainspring

/// A pass of CFRunLoop's that is in the middle of its sources for as long as the host runs.
///
/// CFRunLoop takes note of a wake-up from another thread only while it is in a run, from the beginning of a pass to the end
/// of its wait: outside it means that nobody waits, and after the wait that another pass follows. So the host's runs are
/// callouts of a source of this pass, and turns are runs nested in it.
///
/// Only on the loop's thread.
final class Shell: RunEnclosure {
  private let mode: CFString
  private var source: CFRunLoopSource?
  private var body: (() -> Void)?

  init() {
    mode = unsafe CFStringCreateWithCString(nil, "mainspring", CFStringBuiltInEncodings.UTF8.rawValue)
    var context = unsafe CFRunLoopSourceContext()
    // SAFETY: the source is invalidated before this object goes.
    unsafe context.info = Unmanaged.passUnretained(self).toOpaque()
    unsafe context.perform = { info in
      unsafe info.map { unsafe Unmanaged<Shell>.fromOpaque($0).takeUnretainedValue().perform() }
    }
    // SAFETY: the context is copied by the call.
    source = unsafe CFRunLoopSourceCreate(nil, 0, &context)
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, mode)
  }

  deinit { CFRunLoopSourceInvalidate(source) }

  func enclose(_ body: () -> Void) {
    // It is called before this returns, or never.
    withoutActuallyEscaping(body) { body in
      self.body = body
      CFRunLoopSourceSignal(source)
      CFRunLoopRunInMode(mode, 0, true)
      // Where CFRunLoop refused to run.
      perform()
    }
  }

  private func perform() {
    let body = body
    self.body = nil
    body?()
  }
}
