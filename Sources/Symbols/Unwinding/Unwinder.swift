import LinuxKernel

/// Finds the frames of a thread in a copy of its registers and stack.
///
/// Takes no lock of the loader and stops no thread, so that the thread may hang anywhere. Keeps what it has
/// read of the modules' tables for the next stack. Used by one thread at a time.
package final class Unwinder {
  let memory: any MemoryReader
  package private(set) var modules: ModuleMap
  /// The modules' tables, by position in `modules`.
  private var tables: [TableState]
  /// Whether the function that starts at an address keeps an async context in its frame.
  var asyncFunctions: [UInt64: Bool] = [:]

  /// No stack is followed further than this; a frame takes at least 16 bytes, a stack seldom more than 16 MiB.
  package static let frameCountMax = 1 << 20

  package init(memory: any MemoryReader, modules: ModuleMap = ModuleMap(parsing: [])) {
    self.memory = memory
    self.modules = modules
    tables = modules.modules.map { _ in .unread }
  }

  private enum TableState {
    case unread
    /// There is none, or none that is understood.
    case missing
    case read(UnwindTables)
  }

  /// Goes on with the modules that are loaded now. Call it before unwinding what was copied since.
  package func update(_ modules: ModuleMap) {
    guard modules != self.modules else { return }
    let known = Dictionary(zip(self.modules.modules, tables), uniquingKeysWith: { first, _ in first })
    self.modules = modules
    tables = modules.modules.map { known[$0] ?? .unread }
    asyncFunctions.removeAll()
  }

  /// Steps from the innermost frame to the thread's first, or to where nothing shows the way.
  ///
  /// 3 to 17 µs for a usual stack; more when a module's table is read for the first time.
  /// - Parameter frameCountMax: how many frames are kept, at least 4. Of a deeper stack, such as an endless
  ///   recursion's, the outermost quarter and the innermost rest are: what went wrong, and who began it.
  package func unwind(
    _ registers: RegisterSet, stack: StackCopy, frameCountMax: Int = 512
  ) -> UnwoundStack {
    var state = UnwindState(registers: registers, stack: stack, frameCountMax: max(4, frameCountMax))
    var end = UnwoundStack.End.limit
    while state.frames.count < Self.frameCountMax {
      if let reason = step(&state) {
        end = reason
        break
      }
    }
    return state.frames.stack(end: end)
  }

  /// Appends the caller of the last frame, or says why there is none.
  private func step(_ state: inout UnwindState) -> UnwoundStack.End? {
    let reason: UnwoundStack.End
    switch stepByTable(&state) {
    case .stepped: return state.registers.programCounter == 0 ? state.dropLast() : nil
    case .ended(let end) where end == .base || end == .outsideCopy: return end
    case .ended(let end): reason = end
    }
    // A third of libswiftCore's functions have no table: leaf functions. They do keep a frame pointer.
    return stepFromEntry(&state) || stepByFramePointer(&state) ? nil : reason
  }

  func rules(at address: UInt64) -> (CallFrameRules, UnwindTables)? {
    guard let index = modules.index(at: address) else { return nil }
    if case .unread = tables[index] {
      let found = UnwindTables(modules.modules[index], memory: memory)
      tables[index] = found.map { .read($0) } ?? .missing
    }
    guard case .read(let found) = tables[index], let rules = found.rules(at: address) else { return nil }
    return (rules, found)
  }
}

/// Where an unwinding has got to.
struct UnwindState {
  var registers: RegisterSet
  let stack: StackCopy
  var frames: FrameList
  /// How many more times the caller's stack may begin beneath that of the function it called, at the same place, or where
  /// there is none.
  ///
  /// A signal handler has a stack of its own, and a coroutine may. But tables and frames that name each other would go round
  /// until the frames are too many.
  private var retreatsLeft = 16
  /// How many more times rbp may be guessed: each takes a thousand readings of memory.
  private var guessesLeft = 4

  init(registers: RegisterSet, stack: StackCopy, frameCountMax: Int) {
    self.registers = registers
    self.stack = stack
    frames = FrameList(
      UnwoundFrame(programCounter: registers.programCounter, kind: .exact, origin: .registers),
      countMax: frameCountMax)
  }

  /// Whether the caller's stack may begin there.
  mutating func mayGoOn(at stackPointer: UInt64) -> Bool {
    let returnAddressByteCount: UInt64 = 8
    let now = registers.stackPointer
    if stackPointer > now, stackPointer - now >= returnAddressByteCount, stack.reaches(stackPointer) {
      return true
    }
    retreatsLeft -= 1
    return retreatsLeft >= 0
  }

  /// Whether rbp may be guessed once more.
  mutating func mayGuess() -> Bool {
    guessesLeft -= 1
    return guessesLeft >= 0
  }

  /// The canonical frame address of the innermost frame is known once the step out of it is.
  mutating func setFrameAddress(_ address: UInt64) { frames.last.canonicalFrameAddress = address }

  mutating func append(_ kind: UnwoundFrame.Kind, _ origin: UnwoundFrame.Origin) {
    frames.append(UnwoundFrame(programCounter: registers.programCounter, kind: kind, origin: origin))
  }

  /// A return address of zero is the mark of a thread's first function, not a frame.
  mutating func dropLast() -> UnwoundStack.End {
    frames.removeLast()
    return .base
  }
}
