import LinuxKernel
package import Mainspring
public import StallReport
import Synchronization

extension StallMonitor {
  /// The marks that a loop which is not Mainspring's sets, so that it can be watched: that it is about to work, and that
  /// it is about to wait.
  ///
  /// A mark is a few plain stores: no lock, no allocation, no system call. Only a mark that ends a wait while the
  /// monitor's thread sleeps wakes that, by one call. A loop that waits costs nothing, and the monitor does not wake up
  /// for it.
  ///
  /// The marks are set by one thread at a time: that of the loop. It may be another one each time, as with the queues of
  /// dispatch; each mark notes whose it is. What is between two ``willWork(_:)`` is one pass: a loop that sets it at the
  /// top of its body and ``willWait()`` before it blocks is watched exactly as Mainspring's loop is. Before the first
  /// ``willWait()`` it starts up, which is held to the threshold of launches.
  ///
  /// A loop with hooks before and after its wait, like libuv's, marks in them:
  ///
  ///     // uv_prepare_t runs just before the loop blocks, uv_check_t just after.
  ///     let prepare: uv_prepare_cb = { handle in marks(of: handle).willWait() }
  ///     let check: uv_check_cb = { handle in marks(of: handle).willWork("poll") }
  ///
  /// A loop whose wait can be replaced, like GLib's, marks around it:
  ///
  ///     let poll: GPollFunc = { descriptors, count, timeout in
  ///       marks.willWait()
  ///       defer { marks.willWork("dispatch") }
  ///       return g_poll(descriptors, count, timeout)
  ///     }
  ///     g_main_context_set_poll_func(context, poll)
  ///
  /// A poll that is not to block (a timeout of 0) is no wait: a loop that does not wait for long is saturated, and is
  /// reported as that if it leaves the mark out.
  public final class LoopMarks: Sendable {
    package let beacon = Beacon()
    /// The words for the work that nested runs were begun in.
    private let outer: [16 of Atomic<UInt>] = .init { _ in Atomic(0) }

    package init() { Fork.watch() }

    /// The loop begins a pass.
    ///
    /// - Parameter what: the loop's word for it, as reports give it.
    public func willWork(_ what: StaticString = "work") { willWork(CallSite(what, 0)) }

    package func willWork(_ word: CallSite) {
      let shown = beacon.shown
      let nesting = max(1, shown.nesting)
      beacon.thread.store(ThreadIdentity.rememberedNumber, ordering: .relaxed)
      if shown.isBusy {
        beacon.showProgress(.betweenCallouts, nesting: nesting)
      } else {
        beacon.showAwake(.betweenCallouts, nesting: nesting)
      }
      willCall(word)
    }

    /// The loop begins another item of the pass that it is in: many short items are told from one long one by these.
    public func willCall(_ what: StaticString) { willCall(CallSite(what, 0)) }

    private func willCall(_ word: CallSite) {
      beacon.showCallout(word)
      beacon.showPhase(.work)
    }

    /// The loop is about to wait, or to end. Until the next ``willWork(_:)`` nothing is held against it.
    public func willWait() { beacon.showWaiting(nesting: max(1, beacon.shown.nesting)) }

    /// Runs `body`, which is known to keep the loop waiting and is meant to, as ``StallMonitor/pause(reason:_:)`` does for
    /// Mainspring's loops. On the loop's thread.
    public func pause<Value, Failure: Error>(
      reason: StaticString, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
      try beacon.pausing(reason, body)
    }

    /// The loop is run anew from within what it is doing: what the nested run does is work of its own.
    public func willRunNested() {
      let nesting = beacon.shown.nesting
      if nesting < outer.count {
        outer[nesting].store(beacon.fileAddress.load(ordering: .relaxed), ordering: .relaxed)
      }
      beacon.showProgress(.betweenCallouts, nesting: nesting + 1)
    }

    /// The nested run is over, and what it was begun in goes on.
    public func didRunNested() {
      let nesting = max(1, beacon.shown.nesting - 1)
      if nesting < outer.count {
        beacon.fileAddress.store(outer[nesting].load(ordering: .relaxed), ordering: .relaxed)
      }
      let wasWaiting = !beacon.shown.isBusy
      // A nested run may end in its wait, if the loop sets no mark between.
      if wasWaiting {
        beacon.showAwake(.work, nesting: nesting)
      } else {
        beacon.showProgress(.work, nesting: nesting)
      }
    }
  }

  /// Watches a loop that sets its marks itself, for as long as the marks are kept.
  ///
  /// - Parameter kind: whose loop it is, as reports give it.
  public func watch(loopNamed name: String, kind: Report.Loop.Kind = .custom) -> LoopMarks {
    let marks = LoopMarks()
    watch(marks.beacon, as: name, kind: kind)
    return marks
  }
}
