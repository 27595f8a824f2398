public import CoreFoundation
import LinuxKernel
public import Mainspring
import Synchronization

/// A loop as a guest of its thread's CFRunLoop, which is Foundation's as well: whoever runs that lets the loop have its
/// turns.
///
/// It ends by ``invalidate()``, with its last reference, and with the thread.
public final class FoundationHost: @unchecked Sendable {
  // Sendable: all is immutable or atomic, and a source of CFRunLoop's may be invalidated from any thread.

  /// The loop as the guest.
  public let guest: RunLoop.Guest
  private let source: PortSource
  private let isEnding = Atomic<Bool>(false)

  fileprivate init(_ guest: RunLoop.Guest, _ modes: [CFString]) {
    self.guest = guest
    source = PortSource(guest.descriptor) { [guest] in
      // One turn: where it leaves something the descriptor rings anew.
      guest.turn()
    }
    let identity = ObjectIdentifier(guest.loop)
    Self.guests.withLock { _ = $0.insert(identity) }
    for mode in modes { source.add(to: CFRunLoopGetCurrent(), mode) }
  }

  deinit { invalidate() }

  /// The loops that CFRunLoop hosts. A host holds its loop, so that no other has its identity meanwhile.
  private static let guests = Locked<Set<ObjectIdentifier>>([])

  /// Whether CFRunLoop hosts the loop.
  static func isOn(_ loop: RunLoop) -> Bool {
    let identity = ObjectIdentifier(loop)
    return guests.withLock { $0.contains(identity) }
  }

  /// Ends it: the loop runs itself again. Any thread, more than once; as `Guest.invalidate()`.
  public func invalidate() {
    if isEnding.exchange(true, ordering: .sequentiallyConsistent) { return }
    // Who watches the descriptor lets go of it first.
    source.invalidate()
    guest.invalidate()
    let identity = ObjectIdentifier(guest.loop)
    Self.guests.withLock { _ = $0.remove(identity) }
  }
}

extension RunLoop {
  /// Makes the loop the guest of its thread's CFRunLoop, in a mode. Only on the loop's thread.
  ///
  /// Whoever runs Foundation's loop on this thread has this one done as well: an application's framework, XCTest while it
  /// waits for an asynchronous test, a call that waits by running the loop. Nobody polls.
  ///
  /// ```swift
  /// import Foundation
  /// import MainspringFoundation
  ///
  /// let host = try Mainspring.RunLoop.current.beHostedByFoundation()
  /// Mainspring.RunLoop.current.perform(in: .default) { print("done by Foundation's loop") }
  /// Foundation.RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1))
  /// host.invalidate()
  /// ```
  ///
  /// For tests of XCTest in a program that links `MainspringMainExecutor`: keep a host of the main loop while they run, which
  /// `setUp` of the first class can make.
  ///
  /// A stop that finds no run of the loop's own ends nothing: end the run of CFRunLoop.
  ///
  /// - Parameters:
  ///   - mode: which of the loop's modes is served.
  ///   - hostModes: the modes of CFRunLoop in which it is; by default the common ones.
  /// - Throws: where the process or the kernel has no descriptor left for it.
  /// - Precondition: the loop has no host yet and does not host CFRunLoop; the mode is not `.common`.
  public func beHostedByFoundation(
    in mode: Mode = .default, during hostModes: [CFString] = [kCFRunLoopCommonModes]
  ) throws(DescriptorError) -> FoundationHost {
    require(!GuestPlace.isTaken(on: self), "the loop hosts CFRunLoop, which cannot host it meanwhile")
    return FoundationHost(try beHosted(in: mode), hostModes)
  }
}
