import Mainspring

extension LoopWorld {
  package func make(_ kind: Program.Kind, as item: Int, for player: Player) {
    let made: RunLoop.Item =
      switch kind {
      case .source(let order):
        RunLoop.Source(
          order: order,
          onSchedule: { _, mode in player.note(.scheduled(item, Self.programMode(mode))) },
          onCancel: { _, mode in player.note(.cancelled(item, Self.programMode(mode))) }
        ) { _ in player.called(item, .source) }
      case .timer(let first):
        RunLoop.Timer(at: instant(first)) { _ in player.called(item, .timer) }
      case .repeatingTimer(let interval):
        RunLoop.Timer(every: .milliseconds(interval)) { _ in player.called(item, .timer) }
      case .rearmableTimer: RunLoop.Timer(rearmable: ()) { _ in player.called(item, .timer) }
      case .observer(let activities, let repeats, let order):
        RunLoop.Observer(.init(rawValue: activities.rawValue), repeats: repeats, order: order) {
          _, activity in
          player.called(item, .activity(.init(rawValue: activity.rawValue)))
        }
      case .descriptor(let number, let interest, let isEdge, let order):
        RunLoop.DescriptorSource(
          Self.number(ofDescriptor: number), interest: .init(rawValue: interest.rawValue),
          trigger: isEdge ? .edge : .level, order: order
        ) { _, ready in player.called(item, .ready(.init(rawValue: ready.rawValue))) }
      case .port(let capacity, let order):
        RunLoop.Port<Int>(capacity: capacity, order: order) { _, message in
          player.called(item, .message(message))
        }
      }
    items.append(made)
  }

  /// Virtual descriptors are numbers and no files; these cannot be taken for real ones.
  static func number(ofDescriptor descriptor: Int) -> Int32 { 10_000 + Int32(descriptor) }
}
