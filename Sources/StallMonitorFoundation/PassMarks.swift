import CoreFoundation
import LinuxKernel
import Mainspring
import StallMonitor
import Synchronization

/// What two observers of a CFRunLoop know of its passes, put on a beacon. Touched on the loop's thread alone.
///
/// The first observer of each activity is called before all others and the last one after them, so that what the others
/// do lies between: it is shown as the activity's, and what lies between activities as the loop's. Each run has a level
/// of its own. What a nested run leaves behind is the outer one's again, timed anew.
final class PassMarks {
  let beacon = Beacon()
  private var depth = 0
  /// What the run of each level was doing when the next one was begun in it.
  private var outer = InlineArray<32, Phase>(repeating: .betweenCallouts)

  /// - Parameter isInRun: whether it is made on the loop's thread, from within a run.
  init(isInRun: Bool) {
    guard isInRun else { return }
    prepare()
    depth = 1
    beacon.showAwake(.betweenCallouts, nesting: depth)
  }

  /// The loop's thread is known at its first activity.
  private func prepare() {
    beacon.thread.store(ThreadIdentity.rememberedNumber, ordering: .relaxed)
    // A thread whose stack is nearly used up has no room for a signal's frame, unless it has a stack for signals.
    try? StackSampler.prepareCurrentThread()
  }

  /// Before the other observers of an activity.
  func begin(_ activity: CFRunLoopActivity) {
    if beacon.thread.load(ordering: .relaxed) == 0 { prepare() }
    if activity == .entry { return enter() }
    // Watched from within runs that had begun before, which are more than was known.
    if depth == 0 { depth = 1 }
    if activity == .beforeTimers {
      beacon.showProgress(.beforeTimers, nesting: depth)
    } else if activity == .beforeSources {
      beacon.showPhase(.beforeSources)
    } else if activity == .beforeWaiting {
      beacon.showPhase(.beforeWaiting)
    } else if activity == .afterWaiting {
      beacon.showAwake(.afterWaiting, nesting: depth)
    } else {
      beacon.showPhase(.exit)
    }
  }

  /// After the other observers of an activity.
  func end(_ activity: CFRunLoopActivity) {
    if activity == .beforeWaiting {
      beacon.showWaiting(nesting: depth)
    } else if activity == .exit {
      leave()
    } else {
      beacon.showPhase(.betweenCallouts)
    }
  }

  private func enter() {
    if depth > 0, depth < outer.count { outer[depth] = beacon.shown.phase }
    depth += 1
    // From outside to busy without a wait between: a parked watcher must be told all the same.
    if depth == 1 {
      beacon.showAwake(.entry, nesting: depth)
    } else {
      beacon.showProgress(.entry, nesting: depth)
    }
  }

  private func leave() {
    depth = max(0, depth - 1)
    if depth == 0 {
      beacon.showProgress(.outside, nesting: 0)
    } else {
      beacon.showProgress(depth < outer.count ? outer[depth] : .betweenCallouts, nesting: depth)
    }
  }
}
