import Testing

@testable import StallReport

@Suite struct `Symbol names` {
  static let table = [
    ("MailStore.reindex()", "MailStore.reindex()"),
    ("closure #1 in MailStore.reindex()", "MailStore.reindex()"),
    ("closure #2 (Swift.Int) -> () in closure #1 in a.b(in: c)", "a.b(in: c)"),
    ("closure #1 @Sendable (A<B>) async throws -> () in f()", "f()"),
    ("implicit closure #3 in f(in:)", "f(in:)"),
    ("partial apply forwarder for closure #1 in f()", "f()"),
    ("partial apply for f()", "f()"),
    ("specialized Array.append(_:)", "Array.append(_:)"),
    ("generic specialization <Swift.Int, A<B>> of Swift.Array.append(_:)", "Swift.Array.append(_:)"),
    ("function signature specialization <Arg[0] = Owned To Guaranteed> of m.f(x: A) -> B", "m.f(x: A) -> B"),
    ("(3) suspend resume partial function for m.f() async", "m.f() async"),
    ("(1) await resume partial function for closure #1 in m.f()", "m.f()"),
    ("f.cold", "f"), ("f.cold.1", "f"), ("f.isra.0.cold", "f"), ("f.llvm.1234567", "f"),
    ("$s4main1fyyYaFTY0_", "$s4main1fyyYaF"), ("$s4main1fyyYaFTQ12_", "$s4main1fyyYaF"),
    ("$s4main1fyyFTA", "$s4main1fyyF"),
    ("memcpy@@GLIBC_2.14", "memcpy"),
    ("core::slice::sort::h0123456789abcdef", "core::slice::sort"),
    ("@objc A.b()", "A.b()"), ("", ""), ("operator >(a:b:)", "operator >(a:b:)"), (".cold", ".cold"),
    ("partial apply for closure #2 in Mod", "closure #2 in Mod"),
    ("closure #1 in closure #2 in Mod", "closure #2 in Mod"),
    ("closure #1 in v.getter", "v.getter"), ("closure #1", "closure #1"), ("(", "("),
    ("generic ", "generic "), ("MyType.part2", "MyType.part2"),
  ]

  @Test(arguments: table)
  func `what the compiler made of a function has the function's name`(symbol: String, name: String) {
    #expect(SymbolName.normalized(symbol) == name)
  }

  @Test(arguments: [
    ("read", WaitCategory.fileIO), ("__GI___libc_read", .fileIO), ("__libc_recv", .networkIO),
    ("__lll_lock_wait", .lock), ("_MutexHandle._lockSlow(_:)", .lock), ("___pthread_mutex_lock", .lock),
    ("__clock_nanosleep", .sleep),
    ("__libc_malloc", .memory), ("memmove", nil),
  ])
  func `a waiting function has one category under all its names`(function: String, category: WaitCategory?) {
    #expect(WaitCategory(function: function) == category)
  }

  @Test func `the loop's own frames are known by their module or by Foundation's names`() {
    typealias Kind = Report.Frame.Kind
    #expect(Kind(symbol: "RunLoop.run()", mangled: "$s10Mainspring7RunLoopC3runyyF", image: "app") == .loop)
    #expect(
      Kind(symbol: "FutexWord.wait()", mangled: "$s11LinuxKernel9FutexWordV4waityyF", image: "app")
        == .runtime)
    #expect(Kind(symbol: "ms_futex_wait", mangled: nil, image: "app") == .runtime)
    #expect(Kind(symbol: "ms_jpeg_decode", mangled: nil, image: "app") == nil)
    #expect(Kind(symbol: "__CFRunLoopRun", mangled: nil, image: "libFoundation.so") == .loop)
    let timer = "__CFRUNLOOP_IS_CALLING_OUT_TO_A_TIMER_CALLBACK_FUNCTION__"
    #expect(Kind(symbol: timer, mangled: nil, image: nil) == .phase(.timer))
    #expect(Kind(symbol: "main", mangled: nil, image: "app") == .threadBase)
    #expect(Kind(symbol: "memmove", mangled: nil, image: "/lib/libc.so.6") == .libc)
    #expect(Kind(symbol: "Array.append", mangled: nil, image: "/x/libswiftCore.so") == .runtime)
    #expect(Kind(symbol: "Thumbs.show()", mangled: "$s6Thumbs4showyyF", image: "Thumbs") == nil)
    #expect(Kind(symbol: nil, mangled: nil, image: nil) == nil)
  }
}
