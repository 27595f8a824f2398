/// A function at one level of a frame, with all that could be found out about it.
package struct SymbolFrame: Sendable, Equatable {
  /// For people: demangled, or the image and offset, or the address.
  package var name: String
  /// As the linker knows it; nil where no symbol covers the address.
  package var linkageName: String?
  /// The source file; nil where it is not known or the code is the compiler's own.
  package var path: String?
  /// Counted from 1; 0: not known.
  package var line: Int
  package var column: Int
  /// Whether the code has no line of its own, and the line is the nearest before it in the function.
  package var isNearestLine = false
  /// Whether it was inlined into the next one of the chain.
  package var isInlined: Bool
  /// The program or library, empty where the address lies in none.
  package var imagePath: String
  /// The address that was looked up, from the image's first byte on.
  package var imageOffset: UInt64
  package var buildID: BuildID?
  /// How far behind the function's first byte that is; nil where it is not known.
  package var functionOffset: UInt64?
}

/// A frame of a stack with its functions: the inlined ones first, then the real one. Never empty.
package struct SymbolicatedFrame: Sendable, Equatable {
  package var frame: UnwoundFrame
  package var functions: [SymbolFrame]
}
