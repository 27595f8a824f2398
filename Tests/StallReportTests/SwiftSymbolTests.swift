import Testing

@testable import StallReport

@Suite struct `Swift symbols` {
  static let table = [
    ("Mod.A.f<A where A1: Swift.Equatable>(_: A1, by: Swift.Int) async throws -> [A]", "A.f(_:by:)"),
    (
      "(1) suspend resume partial function for Mod.A.f<A>(_: A1, by: Swift.Int) async throws -> [A]",
      "A.f(_:by:)"
    ),
    ("Mod.A.init(a: Swift.Int, _: [Swift.String : (Swift.Int, Swift.Int)]) -> Mod.A<A>", "A.init(a:_:)"),
    (
      "closure #1 (Swift.Int) -> Swift.Int in static Mod.A.g((Swift.Int) -> Swift.String) -> Swift.Int",
      "closure #1 in static A.g(_:)"
    ),
    ("Mod.A.v.getter : Swift.Int", "A.v.getter"),
    ("Mod.A.v.modify : Swift.Int with unmangled suffix \".resume.0\"", "A.v.modify"),
    ("Mod.A.subscript.getter : (Swift.Int) -> Swift.Int", "A.subscript.getter"),
    ("Mod.A.__deallocating_deinit", "Mod.A.__deallocating_deinit"),
    ("Mod.B.(p in _78C29752EAC2B116B2350603462C9AC2)(q: Swift.Int?) -> Swift.Bool", "B.p(q:)"),
    (
      "closure #1 () -> Swift.Bool in Mod.B.(p in _78C2)(q: Swift.Int?) -> Swift.Bool",
      "closure #1 in B.p(q:)"
    ),
    ("Mod.(k in _78C2)((Swift.Int) -> Swift.Int) -> Swift.Int", "k(_:)"),
    ("static Mod.B.== infix(Mod.B, Mod.B) -> Swift.Bool", "static B.== infix(_:_:)"),
    ("static Mod.B.< infix(Mod.B, Mod.B) -> Swift.Bool", "static B.< infix(_:_:)"),
    ("(extension in Mod):Swift.String.ext(of: Swift.Int) -> ()", "String.ext(of:)"),
    ("local #1 () -> () in Mod.C.run() async -> ()", "local #1 in C.run()"),
    ("Mod.top() -> ()", "top()"),
    (
      "function signature specialization <Arg[1] = Dead> of Other.S.init(png: [Swift.UInt8]) throws(Other.E) -> Other.S",
      "specialized Other.S.init(png:)"
    ),
    ("Mod.Mod.run() -> ()", "Mod.run()"),
    ("Mod.run()", "Mod.run()"), ("B.p(q:)", "B.p(q:)"), ("closure #1 in B.p(q:)", "closure #1 in B.p(q:)"),
    ("", ""),
    (" -> ", ""), ("( -> ", "("),
  ]

  @Test(arguments: table)
  func `the demangler's full form becomes short, the short form stays`(full: String, short: String) {
    #expect(SwiftSymbol.simplified(full, module: "Mod") == short)
  }

  @Test func `a closure at the top level is in its module, if that is known`() {
    #expect(SwiftSymbol.simplified("closure #2 in ", module: "Mod") == "closure #2 in Mod")
    #expect(SwiftSymbol.simplified("closure #2 in ", module: nil) == "closure #2")
    #expect(
      SwiftSymbol.simplified("closure #2 @Sendable () -> () in Mod", module: "Mod") == "closure #2 in Mod")
  }

  @Test(arguments: [
    ("$s5maild9MailStoreC7reindexyyF", "maild"), ("$sSS3ModE3ext2ofySi_tF", nil), ("main", nil),
    ("$s9ab", nil),
    ("$s99999999999999999999x", nil),
  ])
  func `the module stands at the beginning of a mangled name`(mangled: String, module: String?) {
    #expect(SwiftSymbol.module(ofMangled: mangled) == module)
  }

  @Test func `a frame made of a symbol knows its name, kind and owner`() {
    let images = [
      Report.Image(name: "/opt/Thumbs", buildID: nil, base: 0, end: 1, isInApp: true),
      Report.Image(name: "/lib/libc.so.6", buildID: nil, base: 1, end: 2, isInApp: false),
    ]
    func frame(_ image: Int, _ mangled: String?, _ demangled: String?) -> Report.Frame {
      .init(image: image, offset: 1, mangled: mangled, demangled: demangled, location: nil, in: images)
    }
    let own = frame(
      0, "$s8Pictures7PictureV6scaled5toFitACSi_tF",
      "Pictures.Picture.scaled(toFit: Swift.Int) -> Pictures.Picture")
    #expect(own.symbol == "Picture.scaled(toFit:)")
    #expect(own.mangled == "$s8Pictures7PictureV6scaled5toFitACSi_tF")
    #expect(own.isAppCode)
    let loop = frame(0, "$s10Mainspring7RunLoopC3runyyF", "Mainspring.RunLoop.run() -> ()")
    #expect(loop.symbol == "RunLoop.run()")
    #expect(loop.kind == .loop)
    let libc = frame(1, "memmove", nil)
    #expect((libc.symbol, libc.mangled, libc.kind) == ("memmove", nil, .libc))
    #expect(frame(0, nil, nil).symbol == nil)
  }
}

@Suite struct OwnModuleTests {
  @Test(arguments: [
    ("$sScM14assumeIsolated_4file4lineyyYbXE_s12StaticStringVSutFZ", true),
    ("$ss5ClockPsE7measureyyyyXEF", true),
    ("$sSa6appendyyxnF", true),
    ("$sSa5maildE5firstxSgyF", false),
    ("$sSS5maildE7trimmedSSyF", false),
    ("$s5maild9MailStoreC7reindexyyF", false),
    ("$s10Foundation4DataV", false),
    ("memcpy", false),
    ("$s", false),
  ])
  func `what is compiled in from Swift's own modules is told from extensions of its types`(
    mangled: String, isOfSwift: Bool
  ) {
    #expect(SwiftSymbol.isOfSwift(mangled: mangled) == isOfSwift)
  }
}
