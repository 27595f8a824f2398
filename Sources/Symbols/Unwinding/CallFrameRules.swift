/// How to find one register of the caller.
enum RegisterRule {
  case same
  case undefined
  /// Saved at the canonical frame address plus this.
  case offset(Int64)
  /// Is the canonical frame address plus this.
  case valueOffset(Int64)
  /// Kept in another register.
  case register(UInt8)
  /// Saved where the expression says.
  case expression(Range<Int>)
  /// Is what the expression says.
  case valueExpression(Range<Int>)
}

/// How to step from a frame to its caller, at one place in the code. Expressions are ranges of the
/// unwind table's bytes.
struct CallFrameRules {
  enum FrameAddress {
    case register(Int, offset: Int64)
    case expression(Range<Int>)
    case unset
  }

  /// What survives a call: rbx, rbp, rsp, r12 to r15, and the return address.
  static let tracked: InlineArray<8, Int> = [3, 6, 7, 12, 13, 14, 15, 16]
  static let returnAddressPosition = 7

  var frameAddress = FrameAddress.unset
  /// By position in `tracked`.
  var rules = InlineArray<8, RegisterRule>(repeating: .same)
  /// Whether the frame is the kernel's for a signal handler.
  var isSignalFrame = false
  /// Where the function begins.
  var functionStart: UInt64 = 0

  static func position(of register: UInt64) -> Int? {
    switch register {
    case 3: 0
    case 6: 1
    case 7: 2
    case 12...16: Int(register) - 9
    default: nil
    }
  }

  /// Rules for registers that no call preserves are dropped.
  mutating func set(_ register: UInt64, _ rule: RegisterRule) {
    if let position = Self.position(of: register) { rules[position] = rule }
  }
}
