import CoreFoundation

/// The two observers of a loop. They hold its marks, and the loop holds them: the marks go when the loop does.
enum PassObservers {
  /// Adds both to the modes that are common, to every other that there is, and to those named.
  static func add(_ marks: PassMarks, to loop: CFRunLoop, _ modes: [CFString]) {
    let first = unsafe observer(marks, order: CFIndex.min) { _, activity, marks in
      unsafe PassObservers.with(marks) { $0.begin(activity) }
    }
    let last = unsafe observer(marks, order: CFIndex.max) { _, activity, marks in
      unsafe PassObservers.with(marks) { $0.end(activity) }
    }
    for mode in [kCFRunLoopCommonModes, kCFRunLoopDefaultMode] + self.modes(of: loop) + modes {
      CFRunLoopAddObserver(loop, first, mode)
      CFRunLoopAddObserver(loop, last, mode)
    }
  }

  private static func observer(
    _ marks: PassMarks, order: CFIndex, _ callout: CFRunLoopObserverCallBack
  ) -> CFRunLoopObserver? {
    var context = unsafe CFRunLoopObserverContext(
      version: 0, info: Unmanaged.passUnretained(marks).toOpaque(),
      retain: { info in
        // SAFETY: the info is the marks.
        unsafe info.map { _ = unsafe Unmanaged<PassMarks>.fromOpaque($0).retain() }
        return unsafe info
      },
      // SAFETY: the same, once for each retain.
      release: { info in unsafe info.map { unsafe Unmanaged<PassMarks>.fromOpaque($0).release() } },
      copyDescription: nil)
    let activities = CFRunLoopActivity.allActivities.rawValue
    // SAFETY: the context is copied by the call.
    return unsafe CFRunLoopObserverCreate(nil, activities, true, order, callout, &context)
  }

  private static func modes(of loop: CFRunLoop) -> [CFString] {
    guard let names = CFRunLoopCopyAllModes(loop) else { return [] }
    return (0..<CFArrayGetCount(names)).compactMap { index in
      // SAFETY: the array holds strings, which it keeps alive.
      unsafe CFArrayGetValueAtIndex(names, index).map { name in
        unsafe Unmanaged<CFString>.fromOpaque(name).takeUnretainedValue()
      }
    }
  }

  @inline(__always)
  private static func with(_ info: UnsafeMutableRawPointer?, _ body: (PassMarks) -> Void) {
    guard let info = unsafe info else { return }
    // SAFETY: the observer holds the marks while it is called; no reference is counted.
    unsafe Unmanaged<PassMarks>.fromOpaque(info)._withUnsafeGuaranteedRef { body($0) }
  }
}
