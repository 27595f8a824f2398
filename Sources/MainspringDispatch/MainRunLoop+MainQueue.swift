import CDispatchMainQueue
import Dispatch
import LinuxKernel
public import Mainspring

extension MainRunLoop {
  /// Serves the main dispatch queue on the main loop: `DispatchQueue.main`, sources on it, `OperationQueue.main`. On the
  /// main thread.
  ///
  /// The queue has its step in the pass: it is looked at when sources were performed, unless the pass before has served
  /// it, and wakes the loop where that sleeps in a common mode. One turn does what is queued at that moment. It does not
  /// look at limits and stops meanwhile, so that a flood of blocks delays these.
  ///
  /// A block of the queue may run the loop; libdispatch does not begin with the next block meanwhile. What is given to
  /// `perform(in:)` is done there, too.
  ///
  /// While it is served the queue keeps a run in a common mode alive, save a run within a block of its own.
  ///
  /// ```swift
  /// import Dispatch
  /// import MainspringDispatch
  ///
  /// try RunLoop.main.serveMainQueue()
  /// DispatchQueue.main.async {
  ///   print("on the main thread")
  ///   RunLoop.main.stop()
  /// }
  /// RunLoop.main.run()
  /// ```
  ///
  /// Where the main actor has no executor of its own its jobs are in this queue, and are done as well.
  ///
  /// - Returns: what serves it. Invalidated it does so no longer; anybody who asks while it is valid is given the same.
  /// - Throws: where the process or the kernel has no descriptor left to wait with.
  /// - Precondition: on the main thread, not after `dispatchMain()`, which gives the queue to libdispatch's own threads,
  ///   and not while the queue hosts the loop.
  @discardableResult
  public func serveMainQueue(
    file: StaticString = #fileID, line: UInt = #line
  ) throws(RunLoop.DescriptorError) -> RunLoop.Item {
    requireMainThread(to: "serve the main dispatch queue")
    require(
      !MainQueueHost.isOn, "the main dispatch queue hosts the main loop, which cannot serve it meanwhile")
    if let present = base.servedMainQueue { return present }
    let descriptor = _dispatch_get_main_queue_handle_4CF()
    let queue = RunLoop.ServedQueue(descriptor, file: file, line: line) {
      EventDescriptor.take(descriptor)
    } drain: {
      _dispatch_main_queue_callback_4CF(nil)
    }
    try base.add(queue, to: .common)
    return queue
  }
}
