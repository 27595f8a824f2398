/// Where the frames of a display link come from if not from its timer.
///
/// Only on the loop's thread.
package protocol TickOrigin: AnyObject, Sendable {
  /// What the loop waits for; they are in the modes that the link is in, while it waits for frames.
  var items: [RunLoop.Item] { get }
  /// Frames in a thousand seconds, as far as that is known now.
  var millihertz: UInt64 { get }
  /// Asks for one call of `DisplayLink.frameCame`: for the next frame after `frame` whose number is a multiple of
  /// `stride`, or at once, with the frame that is shown now.
  func ask(for request: TickRequest)
  /// The link is invalid, or goes on without it: nothing will be asked any more.
  func end()
}

extension TickOrigin {
  package func end() {}

  func finish() {
    for item in items { item.invalidate() }
    end()
  }
}

package enum TickRequest: Hashable, Sendable {
  case current
  case next(after: UInt64, stride: UInt64)
}
