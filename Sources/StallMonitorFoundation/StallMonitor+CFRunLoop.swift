public import CoreFoundation
import LinuxKernel
import StallReport
public import StallMonitor

extension StallMonitor {
  /// Watches a CFRunLoop, which is Foundation's loop too, under a name. Watched again, a loop gets the new name. Any
  /// thread; from the loop's own, what the loop is doing just now is seen as well, else what it does from its next
  /// activity on.
  ///
  /// Two observers, called before and after all others, mark where the loop is: about a microsecond a pass, no
  /// allocation and no lock. A loop that waits is not woken, and the monitor sleeps meanwhile. A source that signals
  /// itself again makes passes without a wait, which are no stall. What a callout does after a nested run is timed anew.
  ///
  /// What CFRunLoop's observers cannot see:
  /// - Which source, timer or block is called. The report takes its kind from the stack, where it is shown by the names of
  ///   CFRunLoop's own functions, and whether one long item or many short ones made a stall from the samples alone:
  ///   everything that was queued on the main dispatch queue is one pass without a mark.
  /// - Runs in a mode that is neither common nor was there when the loop was watched: for as long as such a run is nested
  ///   in a callout, that callout lasts. Name such modes in `modes`.
  ///
  /// The observers stay with the loop until that ends with its thread; a monitor that stops leaves them there.
  ///
  /// - Parameter modes: modes that the loop will be run in, beside the common ones and those that it has.
  public func watch(_ loop: CFRunLoop, as name: String, modes: [CFString] = []) {
    let beacon = ObservedLoops.beacon(of: loop, modes)
    watch(beacon, as: name, kind: .cfRunLoop)
  }

  /// Watches the loop of the main thread: Foundation's `RunLoop.main`, which the main dispatch queue is served by as well.
  public func watchFoundationMain(as name: String = "main") {
    watch(CFRunLoopGetMain(), as: name)
  }
}
