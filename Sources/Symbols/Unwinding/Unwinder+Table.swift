/// Stepping by the unwind table.
extension Unwinder {
  enum TableStep { case stepped, ended(UnwoundStack.End) }

  func stepByTable(_ state: inout UnwindState) -> TableStep {
    guard let (rules, tables) = rules(at: state.frames.last.lookupAddress) else {
      return .ended(.noUnwindTable)
    }
    // The first function of a thread says that nobody called it.
    if case .undefined = rules.rules[CallFrameRules.returnAddressPosition] { return .ended(.base) }
    guard let frameAddress = frameAddress(rules, tables, &state) else { return .ended(.malformed) }
    state.setFrameAddress(frameAddress)
    let caller = callerRegisters(rules, tables, frameAddress, state)
    guard let returnAddress = caller[Register.programCounter] else {
      return .ended(isAboveCopy(rules, frameAddress, state.stack) ? .outsideCopy : .malformed)
    }
    let advances = caller.stackPointer > state.registers.stackPointer
    // Without this, a table that names its own frame as the caller would go round for ever.
    guard rules.isSignalFrame || advances || returnAddress != state.registers.programCounter,
      state.mayGoOn(at: caller.stackPointer)
    else { return .ended(.malformed) }
    state.registers = caller
    state.append(rules.isSignalFrame ? .signal : .returnAddress, .unwindTable)
    return .stepped
  }

  private func frameAddress(
    _ rules: CallFrameRules, _ tables: UnwindTables, _ state: inout UnwindState
  ) -> UInt64? {
    switch rules.frameAddress {
    case .unset: return nil
    case .expression(let range):
      return DwarfExpression.evaluate(
        ByteReader(tables.bytes, in: range), registers: state.registers, stack: state.stack)
    case .register(let register, let offset):
      if register == Register.rbp, state.registers[Register.rbp] == nil, state.mayGuess() {
        state.registers[Register.rbp] = guessFramePointer(state)
      }
      return state.registers[register].map { $0 &+ UInt64(bitPattern: offset) }
    }
  }

  private func callerRegisters(
    _ rules: CallFrameRules, _ tables: UnwindTables, _ frameAddress: UInt64, _ state: UnwindState
  ) -> RegisterSet {
    var caller = RegisterSet()
    for position in CallFrameRules.tracked.indices {
      let register = CallFrameRules.tracked[position]
      switch rules.rules[position] {
      case .same where register == Register.rsp: caller[register] = frameAddress
      case .same where register == Register.programCounter: break
      case .same: caller[register] = state.registers[register]
      case .undefined: break
      case .offset(let offset):
        caller[register] = state.stack.word(at: frameAddress &+ UInt64(bitPattern: offset))
      case .valueOffset(let offset): caller[register] = frameAddress &+ UInt64(bitPattern: offset)
      case .register(let other): caller[register] = state.registers[Int(other)]
      case .expression(let range):
        caller[register] = evaluate(range, tables, frameAddress, state)
          .flatMap { state.stack.word(at: $0) }
      case .valueExpression(let range): caller[register] = evaluate(range, tables, frameAddress, state)
      }
    }
    return caller
  }

  private func evaluate(
    _ range: Range<Int>, _ tables: UnwindTables, _ frameAddress: UInt64, _ state: UnwindState
  ) -> UInt64? {
    DwarfExpression.evaluate(
      ByteReader(tables.bytes, in: range), registers: state.registers, stack: state.stack, first: frameAddress
    )
  }

  private func isAboveCopy(_ rules: CallFrameRules, _ frameAddress: UInt64, _ stack: StackCopy) -> Bool {
    guard case .offset(let offset) = rules.rules[CallFrameRules.returnAddressPosition] else { return false }
    let place = frameAddress &+ UInt64(bitPattern: offset)
    return place >= stack.high || stack.high - place < 8
  }
}
