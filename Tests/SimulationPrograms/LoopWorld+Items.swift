import Mainspring

extension LoopWorld {
  package func make(_ kind: Program.Kind, as item: Int, for player: Player) {
    let end = farewell(by: player, block: item)
    let called: @Sendable (Event.Callout) -> Void = { what in
      withExtendedLifetime(end) { player.called(item, what) }
    }
    let made: RunLoop.Item =
      switch kind {
      case .source(let order):
        RunLoop.Source(
          order: order,
          onSchedule: { _, mode in player.note(.scheduled(item, Self.programMode(mode))) },
          onCancel: { _, mode in player.note(.cancelled(item, Self.programMode(mode))) }
        ) { _ in called(.source) }
      case .timer(let first):
        RunLoop.Timer(at: instant(first)) { _ in called(.timer) }
      case .repeatingTimer(let interval):
        RunLoop.Timer(every: .milliseconds(interval)) { _ in called(.timer) }
      case .rearmableTimer: RunLoop.Timer(rearmable: ()) { _ in called(.timer) }
      case .observer(let activities, let repeats, let order):
        RunLoop.Observer(.init(rawValue: activities.rawValue), repeats: repeats, order: order) {
          _, activity in
          called(.activity(.init(rawValue: activity.rawValue)))
        }
      case .descriptor(let number, let interest, let isEdge, let order):
        RunLoop.DescriptorSource(
          Self.number(ofDescriptor: number), interest: .init(rawValue: interest.rawValue),
          trigger: isEdge ? .edge : .level, order: order
        ) { _, ready in called(.ready(.init(rawValue: ready.rawValue))) }
      case .port(let capacity, let order):
        RunLoop.Port<Letter>(capacity: capacity, order: order) { _, letter in
          called(.message(letter.number))
        }
      case .batch(let order): RunLoop.Batch<Int>(order: order) { _, mark in called(.mark(mark)) }
      case .idleQueue(let capacity, let overflow, let order):
        RunLoop.IdleQueue(
          capacity: capacity ?? .max, whenFull: Self.overflows[overflow.rawValue], order: order,
          // Tasks of programs do not throw; what the handler holds ends with the queue.
          onError: { _, _, _ in withExtendedLifetime(end) {} })
      }
    hold(made)
  }

  private static let overflows: [RunLoop.IdleQueue.Overflow] = [.refuse, .dropOldest, .dropNewest]

  /// Virtual descriptors are numbers and no files; these cannot be taken for real ones.
  static func number(ofDescriptor descriptor: Int) -> Int32 { 10_000 + Int32(descriptor) }
}
