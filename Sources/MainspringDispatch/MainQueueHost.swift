import Dispatch
import LinuxKernel
public import Mainspring
import Synchronization

/// The main loop as a guest of the main dispatch queue, which lets it have a turn whenever there is something to do.
///
/// A source of libdispatch's watches the loop's one descriptor, and its handler takes the turns on the main queue. Whatever
/// serves that queue on the main thread is the loop's host then: CFRunLoop, and with it Foundation, XCTest and others.
///
/// It ends by ``invalidate()``, and with its last reference.
public final class MainQueueHost: @unchecked Sendable {
  // Sendable: all is immutable or atomic, and a source of libdispatch's may be cancelled from any thread.

  /// The loop as the guest.
  public let guest: RunLoop.Guest
  private let source: any DispatchSourceRead
  private let isEnding = Atomic<Bool>(false)
  private static let count = Atomic<Int>(0)

  /// Whether there is one.
  static var isOn: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  fileprivate init(_ guest: RunLoop.Guest) {
    self.guest = guest
    source = DispatchSource.makeReadSource(fileDescriptor: guest.descriptor, queue: .main)
    source.setEventHandler { [source] in
      // One turn: the descriptor stays readable where that left something.
      if guest.turn() == .over { source.cancel() }
    }
    // Who watches the descriptor lets go of it first.
    source.setCancelHandler { withExtendedLifetime(guest) {} }
    Self.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    source.activate()
  }

  deinit { invalidate() }

  /// Ends it: the loop runs itself again. Any thread, more than once; as `Guest.invalidate()`.
  public func invalidate() {
    if isEnding.exchange(true, ordering: .sequentiallyConsistent) { return }
    source.cancel()
    guest.invalidate()
    Self.count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }
}

extension MainRunLoop {
  /// Makes the loop the guest of the main dispatch queue, in a mode. On the main thread.
  ///
  /// No other queue can be the host: a loop has its turns on its own thread, and only the main queue has a thread that
  /// stays the same.
  ///
  /// The queue has to be served on the main thread: by CFRunLoop, by whoever else does it, not by `dispatchMain()`, which
  /// gives the queue to threads of libdispatch's own; a turn there traps. A stop that finds no run of the loop's own ends
  /// nothing: end what serves the queue.
  ///
  /// ```swift
  /// import CoreFoundation
  /// import Foundation
  /// import MainspringDispatch
  ///
  /// let host = try Mainspring.RunLoop.main.beHostedByMainQueue()
  /// Mainspring.RunLoop.main.perform(in: .default) { CFRunLoopStop(CFRunLoopGetMain()) }
  /// CFRunLoopRun()  // serves the queue, and so the loop
  /// host.invalidate()
  /// ```
  ///
  /// - Throws: where the process or the kernel has no descriptor left for it.
  /// - Precondition: on the main thread, which does not serve the queue by the loop itself (``serveMainQueue(file:line:)``);
  ///   the loop has no host yet; the mode is not `.common`.
  public func beHostedByMainQueue(in mode: RunLoop.Mode = .default) throws(RunLoop.DescriptorError)
    -> MainQueueHost
  {
    requireMainThread(to: "be hosted by the main dispatch queue")
    require(
      base.servedMainQueue == nil,
      "the main loop serves the main dispatch queue, which cannot host it meanwhile")
    return MainQueueHost(try base.beHosted(in: mode))
  }

  func requireMainThread(to action: StaticString) {
    if ThreadIdentity.isMain { return }
    trap(
      "thread \(ThreadIdentity.kernelNumber) tried to \(action); only the main thread can, and after dispatchMain() "
        + "not even that: the queue is libdispatch's own threads' then")
  }
}
