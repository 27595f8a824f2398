/// Where in the user's source an item was made or a block was queued.
///
/// The file's name is a literal of the program, ends with a zero byte and lives as long as the code does.
@safe package struct CallSite: Equatable, Sendable {
  package let fileAddress: UInt
  private let lineNumber: UInt32

  package init(fileAddress: UInt, line: Int) {
    self.fileAddress = fileAddress
    lineNumber = UInt32(truncatingIfNeeded: line)
  }

  /// The place of the call, when given as default arguments.
  @inline(__always)
  package init(_ file: StaticString, _ line: UInt) {
    // SAFETY: only the address is kept; a literal's bytes are never freed.
    fileAddress = unsafe file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
    lineNumber = UInt32(truncatingIfNeeded: line)
  }

  package static let unknown = CallSite(fileAddress: 0, line: 0)

  /// `Module/File.swift` as `#fileID` gives it; empty if it is not known.
  package var file: String {
    guard fileAddress != 0, let start = unsafe UnsafePointer<CChar>(bitPattern: fileAddress) else {
      return ""
    }
    // SAFETY: the address is that of a StaticString, whose bytes end with a zero.
    return unsafe String(cString: start)
  }

  /// The line, counted from one.
  package var line: Int { Int(lineNumber) }
}

extension CallSite: CustomStringConvertible {
  package var description: String { fileAddress == 0 ? "an unknown place" : "\(file):\(line)" }
}
