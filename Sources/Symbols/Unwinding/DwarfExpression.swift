/// A DWARF expression, as unwind tables use them: no branches, so that it ends after its last byte.
package struct DwarfExpression {
  private let registers: RegisterSet
  private let stack: StackCopy
  private var values = InlineArray<16, UInt64>(repeating: 0)
  private var count = 0

  /// What the bytes of `reader` compute, or nil where they need a register or memory that is not known.
  /// - Parameter first: what lies on the expression's stack at the start.
  package static func evaluate(
    _ reader: ByteReader, registers: RegisterSet, stack: StackCopy, first: UInt64? = nil
  ) -> UInt64? {
    var reader = reader
    var machine = DwarfExpression(registers: registers, stack: stack)
    do {
      if let first { try machine.push(first, &reader) }
      while !reader.isAtEnd { try machine.step(&reader) }
      return try machine.pop(&reader)
    } catch {
      return nil
    }
  }

  private init(registers: RegisterSet, stack: StackCopy) {
    self.registers = registers
    self.stack = stack
  }

  private mutating func push(_ value: UInt64, _ reader: inout ByteReader) throws(MalformedData) {
    guard count < values.count else { throw MalformedData(at: reader.offset) }
    values[count] = value
    count += 1
  }

  private mutating func pop(_ reader: inout ByteReader) throws(MalformedData) -> UInt64 {
    guard count > 0 else { throw MalformedData(at: reader.offset) }
    count -= 1
    return values[count]
  }

  private mutating func step(_ reader: inout ByteReader) throws(MalformedData) {
    let opcode = try reader.byte()
    switch opcode {
    case 0x30...0x4f: try push(UInt64(opcode - 0x30), &reader)
    case 0x50...0x6f: try push(try register(opcode - 0x50, &reader), &reader)
    case 0x70...0x8f:
      let base = try register(opcode - 0x70, &reader)
      try push(base &+ UInt64(bitPattern: try reader.sleb()), &reader)
    case 0x08...0x11: try push(try constant(opcode, &reader), &reader)
    case 0x06, 0x12, 0x13, 0x16, 0x1f, 0x20, 0x23: try stepUnary(opcode, &reader)
    case 0x96: break
    default: try stepBinary(opcode, &reader)
    }
  }

  private func register(_ number: UInt8, _ reader: inout ByteReader) throws(MalformedData) -> UInt64 {
    guard let value = registers[Int(number)] else { throw MalformedData(at: reader.offset) }
    return value
  }

  private func constant(_ opcode: UInt8, _ reader: inout ByteReader) throws(MalformedData) -> UInt64 {
    switch opcode {
    case 0x08: UInt64(try reader.byte())
    case 0x09: UInt64(truncatingIfNeeded: try reader.read(Int8.self))
    case 0x0a: UInt64(try reader.read(UInt16.self))
    case 0x0b: UInt64(truncatingIfNeeded: try reader.read(Int16.self))
    case 0x0c: UInt64(try reader.read(UInt32.self))
    case 0x0d: UInt64(truncatingIfNeeded: try reader.read(Int32.self))
    case 0x0e, 0x0f: try reader.read(UInt64.self)
    case 0x10: try reader.uleb()
    default: UInt64(bitPattern: try reader.sleb())
    }
  }

  private mutating func stepUnary(_ opcode: UInt8, _ reader: inout ByteReader) throws(MalformedData) {
    let top = try pop(&reader)
    switch opcode {
    case 0x06:
      guard let word = stack.word(at: top) else { throw MalformedData(at: reader.offset) }
      try push(word, &reader)
    case 0x12:
      try push(top, &reader)
      try push(top, &reader)
    case 0x16:
      let below = try pop(&reader)
      try push(top, &reader)
      try push(below, &reader)
    case 0x1f: try push(0 &- top, &reader)
    case 0x20: try push(~top, &reader)
    case 0x23: try push(top &+ (try reader.uleb()), &reader)
    default: break  // 0x13: dropped.
    }
  }

  private mutating func stepBinary(_ opcode: UInt8, _ reader: inout ByteReader) throws(MalformedData) {
    let right = try pop(&reader)
    let left = try pop(&reader)
    let signedLeft = Int64(bitPattern: left)
    let signedRight = Int64(bitPattern: right)
    let result: UInt64
    switch opcode {
    case 0x1a: result = left & right
    case 0x1c: result = left &- right
    case 0x1e: result = left &* right
    case 0x21: result = left | right
    case 0x22: result = left &+ right
    case 0x24: result = right < 64 ? left << right : 0
    case 0x25: result = right < 64 ? left >> right : 0
    case 0x26: result = UInt64(bitPattern: signedLeft >> Int64(min(right, 63)))
    case 0x27: result = left ^ right
    case 0x29: result = left == right ? 1 : 0
    case 0x2a: result = signedLeft >= signedRight ? 1 : 0
    case 0x2b: result = signedLeft > signedRight ? 1 : 0
    case 0x2c: result = signedLeft <= signedRight ? 1 : 0
    case 0x2d: result = signedLeft < signedRight ? 1 : 0
    case 0x2e: result = left != right ? 1 : 0
    default: throw MalformedData(at: reader.offset)
    }
    try push(result, &reader)
  }
}
