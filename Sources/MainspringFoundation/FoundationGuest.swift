import CoreFoundation
import LinuxKernel
public import Mainspring
import MainspringDispatch

/// The CFRunLoop of a thread, which is Foundation's loop as well, as a guest of the thread's own loop.
///
/// The host's modes hold it, whether or not this object is kept.
public final class FoundationGuest: Sendable {
  private let host: RunLoop
  private let items: [RunLoop.Item]

  fileprivate init(_ host: RunLoop, _ items: [RunLoop.Item]) {
    self.host = host
    self.items = items
  }

  /// Ends it: Foundation's loop is run by whoever runs it. Any thread; as `RunLoop.Item.invalidate()`.
  public func invalidate() {
    guard items.contains(where: \.isValid) else { return }
    for item in items { item.invalidate() }
    host.update { $0.encloseRuns(in: nil) }
  }
}

extension RunLoop {
  /// Lets the CFRunLoop of the thread, which Foundation's `RunLoop.current` is another name for, have its turns in this
  /// loop. Only on the loop's thread.
  ///
  /// What of Foundation needs its loop works where this one runs:
  ///
  /// | what | needs |
  /// |---|---|
  /// | `Timer`, `RunLoop.perform`, `NotificationQueue`, `FileHandle` in the background, sources of CFRunLoop | the guest |
  /// | `DispatchQueue.main`, `OperationQueue.main`, `URLSession` with that queue | the main queue, which is served with it on the main thread |
  /// | `URLSession` otherwise, `Process.terminationHandler`, `FileHandle.readabilityHandler`, `Task.sleep` | nothing: threads of their own |
  /// | `Process.waitUntilExit`, `RunLoop.run(until:)` | nothing: they run Foundation's loop, and this one rests meanwhile |
  ///
  /// ```swift
  /// import Foundation
  /// import MainspringFoundation
  ///
  /// let loop = Mainspring.RunLoop.current
  /// try loop.hostFoundation()
  /// _ = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: false) { _ in loop.stop() }
  /// loop.run()
  /// ```
  ///
  /// The default mode stands for `kCFRunLoopDefaultMode`, every other for Foundation's mode of the same name, which is made
  /// one of Foundation's common modes: a `Timer` in `.common` fires in all of them.
  ///
  /// The loop waits for what would wake CFRunLoop, which costs nothing while nothing happens. What wakes nobody — a block
  /// given to `perform` and a posting that waits, on the thread itself — is looked for before each sleep, which is a pass of
  /// CFRunLoop's. Such a pass neither sleeps nor calls observers of CFRunLoop's `beforeWaiting` and `afterWaiting`.
  ///
  /// A wake-up from another thread, as `CFRunLoopWakeUp` sends it, is noticed while a run of the loop is on. A loop that is
  /// itself the guest of another notices it with its next turn.
  ///
  /// Runs in these modes do not end for want of work: a mode of CFRunLoop cannot be asked whether anything is in it.
  ///
  /// - Parameter modes: in which of the loop's modes. Not `.common`, which stands for modes and is none.
  /// - Returns: what ends it again; it need not be kept.
  /// - Throws: where the process or the kernel has no descriptor left for it.
  /// - Precondition: the loop neither hosts CFRunLoop already nor is its guest, and no run of it is on.
  @discardableResult
  public func hostFoundation(
    in modes: [Mode] = [.default, .tracking], file: StaticString = #fileID, line: UInt = #line
  ) throws(DescriptorError) -> FoundationGuest {
    require(!modes.contains(.common), "the loop cannot host CFRunLoop in .common: name the modes")
    require(!FoundationHost.isOn(self), "CFRunLoop hosts the loop, which cannot host it meanwhile")
    require(currentMode == nil, "the loop cannot begin to host CFRunLoop while a run of it is on")
    guard let place = GuestPlace(on: self) else { trap("the loop hosts CFRunLoop already") }
    var items: [Item] = []
    do throws(DescriptorError) {
      for mode in modes {
        items += try GuestMode(mode.foundationName, of: self, place).addItems(to: mode, (file, line))
      }
      if self === RunLoop.main.base, RunLoop.main.base.servedMainQueue == nil {
        items.append(try RunLoop.main.serveMainQueue(file: file, line: line))
      }
    } catch {
      for item in items { item.invalidate() }
      throw error
    }
    encloseRuns(in: Shell())
    return FoundationGuest(self, items)
  }
}

extension RunLoop.Mode {
  /// CFRunLoop's name for the mode. Made common there: what Foundation has in its common modes is in this one.
  fileprivate var foundationName: CFString {
    if self == .default { return kCFRunLoopDefaultMode }
    let made = unsafe CFStringCreateWithCString(nil, name, CFStringBuiltInEncodings.UTF8.rawValue)
    guard let made else { trap("CFRunLoop has no room for a mode named \(name)") }
    CFRunLoopAddCommonMode(CFRunLoopGetCurrent(), made)
    return made
  }
}
