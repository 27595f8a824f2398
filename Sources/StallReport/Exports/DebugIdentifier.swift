/// The identifier that debuggers of Breakpad's kin make of a GNU build-id: its first sixteen bytes as a GUID, whose first
/// three fields are the other way round.
struct DebugIdentifier {
  private let bytes: [UInt8]

  /// Of a build-id in hexadecimal digits; nil if it is none. What it lacks in length is zero.
  init?(buildID: String) {
    let digits = Array(buildID.utf8)
    guard !digits.isEmpty, digits.count.isMultiple(of: 2), digits.count <= 128,
      buildID.unicodeScalars.allSatisfy({ $0.isASCII && Character($0).isHexDigit })
    else { return nil }
    var bytes: [UInt8] = []
    for position in stride(from: 0, to: digits.count, by: 2) {
      bytes.append(UInt8(String(decoding: digits[position..<position + 2], as: UTF8.self), radix: 16) ?? 0)
    }
    bytes = Array((bytes + Array(repeating: 0, count: 16)).prefix(16))
    self.bytes = [3, 2, 1, 0, 5, 4, 7, 6].map { bytes[$0] } + bytes[8...]
  }

  private var digits: String { bytes.map { Hexadecimal.digits(UInt64($0), count: 2) }.joined() }

  /// As Breakpad writes it: upper case, and the age behind it, which ELF files do not have.
  var breakpad: String { digits.uppercased() + "0" }

  /// As GUIDs are written: `5c0a0d51-ea19-80df-43f2-03b4525be9be`.
  var grouped: String {
    var rest = Substring(digits)
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}
