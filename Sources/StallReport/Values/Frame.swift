extension Report {
  /// One frame of a stack: a place in an image, and its name if it has one.
  ///
  /// A function that was inlined is a frame of its own, before the one it was inlined into.
  public struct Frame: Sendable, Hashable {
    /// The index of the image in ``StackTable/images``.
    public var image: Int?
    /// The offset of the instruction in its image.
    public var offset: UInt64?
    /// The function's name for people, demangled.
    public var symbol: String?
    /// How far behind the function's first byte the instruction is.
    public var symbolOffset: UInt64?
    /// The function's name for the linker, if it differs.
    public var mangled: String?
    /// Where in the source it is.
    public var location: SourceLocation?
    /// Whether it is the program's own code.
    public var isInApp: Bool
    /// What it is, if it is not plain code.
    public var kind: Kind?
    /// The index of the frame it was inlined into.
    public var inlinedInto: Int?

    /// A frame at this place with this name.
    public init(
      image: Int? = nil, offset: UInt64? = nil, symbol: String?, location: SourceLocation? = nil,
      isInApp: Bool = false, kind: Kind? = nil
    ) {
      self.image = image
      self.offset = offset
      self.symbol = symbol
      self.location = location
      self.isInApp = isInApp
      self.kind = kind
    }

    /// A frame whose names come from a symbol table: it finds out itself how to name it for people, what kind
    /// of frame it is, and whether it is the program's own code.
    ///
    /// - Parameters:
    ///   - image: The index of the image in `images`.
    ///   - offset: The offset of the instruction in the image.
    ///   - mangled: The name for the linker.
    ///   - demangled: The same as the demangler writes it, in full or short; `nil` if it is no mangled name.
    ///   - location: Where in the source it is.
    ///   - images: The images of the report.
    /// - Complexity: O(length of the names).
    public init(
      image: Int, offset: UInt64, mangled: String?, demangled: String?, location: SourceLocation?,
      in images: [Image]
    ) {
      precondition(images.indices.contains(image), "image \(image) of \(images.count)")
      let module = mangled.flatMap(SwiftSymbol.module)
      let symbol = demangled.map { SwiftSymbol.simplified($0, module: module) } ?? mangled
      let kind = Kind(symbol: symbol, mangled: mangled, image: images[image].name)
      self.init(
        image: image, offset: offset, symbol: symbol, location: location,
        isInApp: images[image].isInApp, kind: kind)
      self.mangled = mangled == symbol ? nil : mangled
    }

    /// What a frame is, if it is not plain code of the program or of a library.
    public enum Kind: Sendable, Hashable {
      /// Where the thread begins.
      case threadBase
      /// The loop itself.
      case loop
      /// The loop's frame that calls a callout of this phase.
      case phase(PhaseName)
      /// The C library.
      case libc
      /// The language's runtime or a thunk of the compiler's.
      case runtime
      /// The kernel's frame of a signal.
      case signal
      /// The monitor itself.
      case monitor
      /// So many frames were left out here.
      case gap(Int)
    }
  }
}

extension Report.Frame.Kind: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    switch self {
    case .threadBase: json.string("threadbase")
    case .loop: json.string("loop")
    case .phase(let name): json.string("phase:\(name.rawValue)")
    case .libc: json.string("libc")
    case .runtime: json.string("runtime")
    case .signal: json.string("signal")
    case .monitor: json.string("monitor")
    case .gap(let count): json.string("gap:\(count)")
    }
  }
}

extension Report.Frame {
  /// Whether it is a function that the program's authors wrote and could mend: not `main`, not a thunk.
  var isAppCode: Bool { isInApp && kind == nil }

  /// The name of the frame at `index` of the table.
  static func identifier(_ index: Int) -> String { "f\(index)" }

  func encode(index: Int, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", Self.identifier(index))
      json.member("img", image)
      json.member("off", offset.map(Hexadecimal.address))
      json.member("sym", symbol)
      json.memberIfKnown("sym_off", symbolOffset.map(Hexadecimal.address))
      json.memberIfKnown("mangled", mangled)
      json.memberIfKnown("file", location?.file)
      json.memberIfKnown("line", location?.line)
      json.memberIfKnown("in_app", isInApp ? true : nil)
      json.memberIfKnown("kind", kind)
      json.memberIfKnown("inlined_into", inlinedInto.map(Self.identifier))
    }
  }
}
