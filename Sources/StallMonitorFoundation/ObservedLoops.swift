import CoreFoundation
import LinuxKernel
import Mainspring

/// The loops of this process that have observers of ours, so that none has them twice.
enum ObservedLoops {
  private struct Entry: Sendable {
    /// The loop's address. Another loop may have it once this one is gone, and its beacon with it.
    var address: UInt
    weak var beacon: Beacon?
  }

  private static let entries = Locked<[Entry]>([])

  /// The beacon that a loop's observers write; they are made if there are none.
  static func beacon(of loop: CFRunLoop, _ modes: [CFString]) -> Beacon {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(loop).toOpaque())
    return entries.withLock { entries in
      entries.removeAll { $0.beacon == nil }
      if let known = entries.first(where: { $0.address == address })?.beacon { return known }
      let isInRun = loop === CFRunLoopGetCurrent() && CFRunLoopCopyCurrentMode(loop) != nil
      let marks = PassMarks(isInRun: isInRun)
      PassObservers.add(marks, to: loop, modes)
      entries.append(Entry(address: address, beacon: marks.beacon))
      return marks.beacon
    }
  }
}
