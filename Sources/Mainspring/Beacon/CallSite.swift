/// Where in the user's source an item was made or a block was queued, in two words.
///
/// The file's name is a literal of the program and lives as long as the code does.
@safe package struct CallSite: Sendable {
  package let fileAddress: UInt
  /// The name's length in the upper half, the line in the lower.
  package let lengthAndLine: UInt64

  package init(fileAddress: UInt, lengthAndLine: UInt64) {
    self.fileAddress = fileAddress
    self.lengthAndLine = lengthAndLine
  }

  /// The place of the call, when given as default arguments.
  package init(_ file: StaticString, _ line: UInt) {
    // SAFETY: only the address is kept; a literal's bytes are never freed.
    let start = unsafe file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
    let length = file.hasPointerRepresentation ? file.utf8CodeUnitCount : 0
    self.init(
      fileAddress: start,
      lengthAndLine: UInt64(truncatingIfNeeded: length) << 32 | UInt64(UInt32(truncatingIfNeeded: line)))
  }

  package static let unknown = CallSite(fileAddress: 0, lengthAndLine: 0)

  /// `Module/File.swift` as `#fileID` gives it; empty if it is not known.
  package var file: String {
    guard fileAddress != 0, let start = unsafe UnsafePointer<UInt8>(bitPattern: fileAddress) else {
      return ""
    }
    // SAFETY: address and length were taken from one StaticString.
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(lengthAndLine >> 32))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// The line, counted from one.
  package var line: Int { Int(UInt32(truncatingIfNeeded: lengthAndLine)) }
}

extension CallSite: CustomStringConvertible {
  package var description: String { fileAddress == 0 ? "an unknown place" : "\(file):\(line)" }
}
