/// Runs the instructions of a CIE or FDE up to one place in the code.
struct CallFrameProgram {
  let codeAlignment: UInt64
  let dataAlignment: Int64
  let encoding: PointerEncoding
  /// The run-time address of the table's first byte.
  let low: UInt64
  /// Where the rules are wanted.
  let target: UInt64

  private static let savedRulesMax = 8
  /// The longest function of a large program has some thousands.
  private static let instructionCountMax = 1 << 16

  /// Changes `rules` to what holds at `target`.
  /// - Parameter initial: what `restore` goes back to: the rules after the CIE; nil while it runs itself.
  func run(
    _ reader: inout ByteReader, from start: UInt64, initial: CallFrameRules?, rules: inout CallFrameRules
  ) throws(MalformedData) {
    var location = start
    var saved: [CallFrameRules] = []
    var instructionCount = 0
    while !reader.isAtEnd {
      instructionCount += 1
      guard instructionCount <= Self.instructionCountMax else { throw MalformedData(at: reader.offset) }
      let opcode = try reader.byte()
      if let advance = try advance(opcode, &reader, location: location) {
        location = advance
        if location > target { return }
        continue
      }
      switch opcode {
      case 0x0a:
        guard saved.count < Self.savedRulesMax else { throw MalformedData(at: reader.offset) }
        saved.append(rules)
      case 0x0b:
        guard let last = saved.popLast() else { throw MalformedData(at: reader.offset) }
        rules = last
      default:
        if try !setFrameAddress(opcode, &reader, rules: &rules) {
          try setRegister(opcode, &reader, initial: initial, rules: &rules)
        }
      }
    }
  }

  /// The new location, if the instruction moves on in the code.
  private func advance(
    _ opcode: UInt8, _ reader: inout ByteReader, location: UInt64
  ) throws(MalformedData) -> UInt64? {
    let delta: UInt64
    switch opcode {
    case 0x40..<0x80: delta = UInt64(opcode & 0x3f)
    case 0x01: return try encoding.read(&reader, low: low, dataBase: 0)
    case 0x02: delta = UInt64(try reader.byte())
    case 0x03: delta = UInt64(try reader.read(UInt16.self))
    case 0x04: delta = UInt64(try reader.read(UInt32.self))
    default: return nil
    }
    return location &+ delta &* codeAlignment
  }

  /// Whether the instruction was one that defines the canonical frame address.
  private func setFrameAddress(
    _ opcode: UInt8, _ reader: inout ByteReader, rules: inout CallFrameRules
  ) throws(MalformedData) -> Bool {
    switch opcode {
    case 0x0c:
      let register = try reader.uleb()
      rules.frameAddress = .register(Int(clamping: register), offset: Int64(clamping: try reader.uleb()))
    case 0x12:
      let register = try reader.uleb()
      rules.frameAddress = .register(Int(clamping: register), offset: try reader.sleb() &* dataAlignment)
    case 0x0d:
      let register = Int(clamping: try reader.uleb())
      guard case .register(_, let offset) = rules.frameAddress else { throw MalformedData(at: reader.offset) }
      rules.frameAddress = .register(register, offset: offset)
    case 0x0e, 0x13:
      let offset =
        opcode == 0x0e ? Int64(clamping: try reader.uleb()) : try reader.sleb() &* dataAlignment
      guard case .register(let register, _) = rules.frameAddress else {
        throw MalformedData(at: reader.offset)
      }
      rules.frameAddress = .register(register, offset: offset)
    case 0x0f:
      rules.frameAddress = .expression(try expression(&reader))
    default:
      return false
    }
    return true
  }

  private func setRegister(
    _ opcode: UInt8, _ reader: inout ByteReader, initial: CallFrameRules?, rules: inout CallFrameRules
  ) throws(MalformedData) {
    switch opcode {
    case 0x80..<0xc0: rules.set(UInt64(opcode & 0x3f), .offset(try factored(&reader)))
    case 0xc0...0xff: restore(UInt64(opcode & 0x3f), initial: initial, rules: &rules)
    case 0x00: break
    case 0x05: rules.set(try reader.uleb(), .offset(try factored(&reader)))
    case 0x06: restore(try reader.uleb(), initial: initial, rules: &rules)
    case 0x07: rules.set(try reader.uleb(), .undefined)
    case 0x08: rules.set(try reader.uleb(), .same)
    case 0x09: rules.set(try reader.uleb(), .register(UInt8(clamping: try reader.uleb())))
    case 0x10: rules.set(try reader.uleb(), .expression(try expression(&reader)))
    case 0x16: rules.set(try reader.uleb(), .valueExpression(try expression(&reader)))
    case 0x11: rules.set(try reader.uleb(), .offset(try reader.sleb() &* dataAlignment))
    case 0x14: rules.set(try reader.uleb(), .valueOffset(try factored(&reader)))
    case 0x15: rules.set(try reader.uleb(), .valueOffset(try reader.sleb() &* dataAlignment))
    case 0x2e: _ = try reader.uleb()  // Bytes of arguments: of use to a debugger only.
    case 0x2f: rules.set(try reader.uleb(), .offset(0 &- (try factored(&reader))))
    default: throw MalformedData(at: reader.offset)
    }
  }

  private func factored(_ reader: inout ByteReader) throws(MalformedData) -> Int64 {
    Int64(truncatingIfNeeded: try reader.uleb()) &* dataAlignment
  }

  private func expression(_ reader: inout ByteReader) throws(MalformedData) -> Range<Int> {
    let part = try reader.part(try reader.uleb())
    return part.offset..<part.end
  }

  private func restore(_ register: UInt64, initial: CallFrameRules?, rules: inout CallFrameRules) {
    guard let position = CallFrameRules.position(of: register) else { return }
    rules.rules[position] = initial?.rules[position] ?? .same
  }
}
