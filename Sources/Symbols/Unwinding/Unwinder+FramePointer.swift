/// Stepping where there is no table: by frame pointer, and by what the code at the program counter shows.
extension Unwinder {
  /// Whether a value is the address just after a call instruction of a module that is loaded.
  func isReturnAddress(_ address: UInt64) -> Bool {
    guard modules.index(at: address) != nil else { return false }
    let before = memory.bytes(at: address &- 7, count: 7)
    guard before.count == 7 else { return false }
    let nearCall: UInt8 = 0xe8
    if before[2] == nearCall { return true }
    // call through a register or memory: ff /2, two to seven bytes long.
    return (0...5).contains { before[$0] == 0xff && before[$0 + 1] >> 3 & 7 == 2 }
  }

  /// Steps over the frame that rbp points to, if what lies there looks like one.
  func stepByFramePointer(_ state: inout UnwindState) -> Bool {
    guard let (frame, saved, returnAddress) = savedFrame(state) else { return false }
    state.setFrameAddress(frame &+ 16)
    state.registers = RegisterSet()
    state.registers[Register.rbp] = saved
    state.registers[Register.rsp] = frame &+ 16
    state.registers[Register.programCounter] = returnAddress
    state.append(.returnAddress, .framePointer)
    return true
  }

  private func savedFrame(_ state: UnwindState) -> (frame: UInt64, saved: UInt64, returnAddress: UInt64)? {
    guard let frame = state.registers[Register.rbp], frame >= state.registers.stackPointer, frame & 7 == 0,
      let saved = state.stack.word(at: frame)
    else { return nil }
    if let returnAddress = state.stack.word(at: frame &+ 8), isReturnAddress(returnAddress) {
      return (frame, saved, returnAddress)
    }
    return alignedFrame(state, beneath: saved, at: frame)
  }

  /// Assembly for wide registers aligns its stack: rbp then points to a word that holds where the frame lies,
  /// a little further up.
  private func alignedFrame(
    _ state: UnwindState, beneath place: UInt64, at frame: UInt64
  ) -> (frame: UInt64, saved: UInt64, returnAddress: UInt64)? {
    let alignmentMax: UInt64 = 256
    guard place > frame, place &- frame <= alignmentMax, place & 7 == 0,
      let saved = state.stack.word(at: place), let returnAddress = state.stack.word(at: place &+ 8),
      isReturnAddress(returnAddress)
    else { return nil }
    return (place, saved, returnAddress)
  }

  /// Steps out of the innermost function where it has not yet, or no longer, set up its frame: then the
  /// return address lies at the top of the stack, or one above it.
  func stepFromEntry(_ state: inout UnwindState) -> Bool {
    guard state.frames.count == 1 else { return false }
    let stackPointer = state.registers.stackPointer
    let hasFrame = savedFrame(state) != nil
    let first = state.stack.word(at: stackPointer) ?? 0
    if isReturnAddress(first), !hasFrame || isAtEntryOrReturn(state.registers.programCounter) {
      return stepFromEntry(&state, to: first, stackPointer: stackPointer &+ 8)
    }
    let second = state.stack.word(at: stackPointer &+ 8) ?? 0
    let hasPushed = isAfterPush(state.registers.programCounter) && first == state.registers[Register.rbp]
    guard isReturnAddress(second), !hasFrame || hasPushed else { return false }
    state.registers[Register.rbp] = first
    return stepFromEntry(&state, to: second, stackPointer: stackPointer &+ 16)
  }

  private func stepFromEntry(_ state: inout UnwindState, to address: UInt64, stackPointer: UInt64) -> Bool {
    state.registers[Register.programCounter] = address
    state.registers[Register.rsp] = stackPointer
    state.setFrameAddress(stackPointer)
    state.append(.returnAddress, .returnAddressGuess)
    return true
  }

  private func isAtEntryOrReturn(_ address: UInt64) -> Bool {
    let code = memory.bytes(at: address, count: 4)
    let pushFramePointer: UInt8 = 0x55
    let ret: UInt8 = 0xc3
    return code.first == pushFramePointer || code.first == ret || code.starts(with: [0xf3, 0x0f, 0x1e])
  }

  /// At `mov %rsp, %rbp`, which follows the push of rbp.
  private func isAfterPush(_ address: UInt64) -> Bool {
    memory.bytes(at: address, count: 3) == [0x48, 0x89, 0xe5]
  }

  /// rbp, where only the stack pointer is known: the first place above it that looks like a saved frame
  /// pointer with a return address, and from which a chain goes on. Stale data can mislead it.
  func guessFramePointer(_ state: UnwindState) -> UInt64? {
    let wordCountMax: UInt64 = 4096
    let start = (state.registers.stackPointer &+ 7) & ~7
    for index in 0..<wordCountMax {
      let place = start &+ 8 &* index
      guard let saved = state.stack.word(at: place), let returnAddress = state.stack.word(at: place &+ 8)
      else { return nil }
      guard saved > place, saved < state.stack.high, saved & 7 == 0, isReturnAddress(returnAddress),
        let next = state.stack.word(at: saved), let nextReturn = state.stack.word(at: saved &+ 8)
      else { continue }
      let chainGoesOn = nextReturn == 0 || isReturnAddress(nextReturn)
      let isLast = next <= saved || next >= state.stack.high
      if chainGoesOn || isLast { return place }
    }
    return nil
  }
}
