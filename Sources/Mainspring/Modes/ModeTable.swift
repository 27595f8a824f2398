/// What a loop has for its modes, by their numbers: a scope for what is in the mode, a view for runs in it.
///
/// Both are made at their first use and kept as long as the loop, so that they can be used without counting
/// references. Only on the loop's thread.
@safe struct ModeTable: ~Copyable {
  // SAFETY: the first `count` cells are initialized, and hold references of their own until this value goes.
  private var cells: UnsafeMutablePointer<Cell>?
  private var capacity = 0
  private var count = 0

  @unsafe private struct Cell {
    var scope: Unmanaged<Scope>?
    /// The scope's monotonic timers.
    var timers: Unmanaged<TimerQueue>?
    var view: Unmanaged<ModeView>?
  }

  init() {}

  deinit {
    guard let cells = unsafe cells else { return }
    for index in 0..<count {
      unsafe cells[index].view?.release()
      unsafe cells[index].scope?.release()
    }
    unsafe cells.deallocate()
  }

  @inline(__always)
  private func cell(of mode: RunLoop.Mode) -> UnsafeMutablePointer<Cell>? {
    let index = Int(mode.number)
    return index < count ? unsafe cells.unsafelyUnwrapped + index : nil
  }

  @inline(__always)
  func scope(of mode: RunLoop.Mode) -> Unmanaged<Scope>? { unsafe cell(of: mode)?.pointee.scope }

  @inline(__always)
  func view(of mode: RunLoop.Mode) -> Unmanaged<ModeView>? { unsafe cell(of: mode)?.pointee.view }

  /// The monotonic timers of a mode that has a scope.
  @inline(__always)
  func timers(of mode: RunLoop.Mode) -> Unmanaged<TimerQueue> {
    unsafe cell(of: mode).unsafelyUnwrapped.pointee.timers.unsafelyUnwrapped
  }

  mutating func put(_ scope: Scope, for mode: RunLoop.Mode) {
    let cell = unsafe makeCell(of: mode)
    unsafe precondition(cell.pointee.scope == nil, "\(mode) has a scope")
    unsafe cell.pointee.scope = Unmanaged.passRetained(scope)
    unsafe cell.pointee.timers = Unmanaged.passUnretained(scope.timers)
  }

  mutating func put(_ view: ModeView, for mode: RunLoop.Mode) {
    let cell = unsafe makeCell(of: mode)
    unsafe precondition(cell.pointee.view == nil, "\(mode) has a view")
    unsafe cell.pointee.view = Unmanaged.passRetained(view)
  }

  private mutating func makeCell(of mode: RunLoop.Mode) -> UnsafeMutablePointer<Cell> {
    let needed = Int(mode.number) + 1
    if needed > capacity {
      let newCapacity = max(4, needed, capacity * 2)
      let newCells = UnsafeMutablePointer<Cell>.allocate(capacity: newCapacity)
      if let cells = unsafe cells {
        unsafe newCells.moveInitialize(from: cells, count: count)
        unsafe cells.deallocate()
      }
      unsafe cells = unsafe newCells
      capacity = newCapacity
    }
    let memory = unsafe cells.unsafelyUnwrapped
    if needed > count {
      unsafe (memory + count).initialize(repeating: Cell(), count: needed - count)
      count = needed
    }
    return unsafe memory + needed - 1
  }

  /// All that were made, by number.
  ///
  /// - Complexity: O(n) in the largest number.
  var scopes: [Scope] {
    (0..<count).compactMap { unsafe cells.unsafelyUnwrapped[$0].scope?.takeUnretainedValue() }
  }

  /// How many numbers there is room for.
  var endIndex: Int { count }

  /// The view of a mode by the mode's number.
  func view(at index: Int) -> Unmanaged<ModeView>? {
    index < count ? unsafe cells.unsafelyUnwrapped[index].view : nil
  }

  /// All that were made, by number.
  ///
  /// - Complexity: O(n) in the largest number.
  var views: [ModeView] {
    (0..<count).compactMap { unsafe cells.unsafelyUnwrapped[$0].view?.takeUnretainedValue() }
  }
}
