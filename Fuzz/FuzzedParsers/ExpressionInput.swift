import Symbols

/// Which registers are known, four values for them, eight words of stack, and the expression.
enum ExpressionInput {
  static func read(_ input: inout InputBytes) {
    let known = UInt32(input.short()) | UInt32(input.byte()) << 16
    let values = (0..<4).map { _ in input.word() }
    var registers = RegisterSet()
    for register in 0..<Register.count where known >> UInt32(register) & 1 != 0 {
      registers[register] = values[register % values.count]
    }
    let stack = StackCopy(low: 0x7000, bytes: input.part(64), isTruncated: false)
    let code = input.end()
    for first in [nil, 0x7010] as [UInt64?] {
      let reader = ByteReader(code)
      _ = DwarfExpression.evaluate(reader, registers: registers, stack: stack, first: first)
    }
  }
}
