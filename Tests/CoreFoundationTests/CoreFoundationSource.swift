import CoreFoundation
import SimulationPrograms

/// What a version-0 source carries: whom it tells.
final class CoreFoundationSource {
  private let player: Player
  private let number: Int
  private let isOver: () -> Bool

  private init(player: Player, number: Int, isOver: @escaping () -> Bool) {
    self.player = player
    self.number = number
    self.isOver = isOver
  }

  /// Each has a value of its own, for equal ones would be one (CF 50, changed by M25).
  static func make(
    order: Int, player: Player, number: Int, isOver: @escaping () -> Bool
  ) -> CFRunLoopSource {
    let carried = CoreFoundationSource(player: player, number: number, isOver: isOver)
    var context = unsafe CFRunLoopSourceContext()
    unsafe context.info = Unmanaged.passUnretained(carried).toOpaque()
    unsafe context.retain = { pointer in
      guard let pointer = unsafe pointer else { return nil }
      return unsafe UnsafeRawPointer(Unmanaged<CoreFoundationSource>.fromOpaque(pointer).retain().toOpaque())
    }
    unsafe context.release = { pointer in
      guard let pointer = unsafe pointer else { return }
      unsafe Unmanaged<CoreFoundationSource>.fromOpaque(pointer).release()
    }
    unsafe context.schedule = { pointer, _, mode in
      unsafe CoreFoundationSource.of(pointer).noteMode(mode!) { .scheduled($0, $1) }
    }
    unsafe context.cancel = { pointer, _, mode in
      unsafe CoreFoundationSource.of(pointer).noteMode(mode!) { .cancelled($0, $1) }
    }
    unsafe context.perform = { pointer in unsafe CoreFoundationSource.of(pointer).perform() }
    return unsafe CFRunLoopSourceCreate(nil, order, &context)
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> CoreFoundationSource {
    // SAFETY: the source holds a reference as long as it lives, and is called as long at most.
    unsafe Unmanaged<CoreFoundationSource>.fromOpaque(pointer!).takeUnretainedValue()
  }

  private func noteMode(_ mode: CFString, _ event: (Int, Program.Mode) -> Event) {
    if !isOver() { player.note(event(number, CoreFoundationMode.mode(of: mode))) }
  }

  private func perform() { player.called(number, .source) }
}
