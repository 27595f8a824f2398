extension Report.Frame.Kind {
  /// What a frame is by its names, or `nil` if it is plain code.
  ///
  /// `mangled` decides whether a function belongs to the loop: linked statically, it is in the
  /// program's own image. The names of Foundation's loop are known as well.
  /// - Parameters:
  ///   - symbol: The function's name, demangled.
  ///   - mangled: The function's name for the linker.
  ///   - image: The path or name of the image.
  public init?(symbol: String?, mangled: String?, image: String?) {
    if let symbol, let phase = Self.foundationPhases[symbol] {
      self = .phase(Report.PhaseName(rawValue: phase))
    } else if Self.isLoop(symbol: symbol, mangled: mangled) {
      self = .loop
    } else if Self.isKernelCall(symbol: symbol, mangled: mangled) {
      self = .runtime
    } else if let symbol, Self.threadBases.contains(symbol) {
      self = .threadBase
    } else if let symbol, Self.isThunk(symbol) {
      self = .runtime
    } else if let mangled, SwiftSymbol.isOfSwift(mangled: mangled) {
      self = .runtime
    } else if let image, let kind = Self.ofImage(image) {
      self = kind
    } else {
      return nil
    }
  }

  private static let foundationPhases = [
    "__CFRUNLOOP_IS_CALLING_OUT_TO_A_TIMER_CALLBACK_FUNCTION__": "timer",
    "__CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__": "source0",
    "__CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE1_PERFORM_FUNCTION__": "source1",
    "__CFRUNLOOP_IS_CALLING_OUT_TO_A_BLOCK__": "block",
    "__CFRUNLOOP_IS_CALLING_OUT_TO_AN_OBSERVER_CALLBACK_FUNCTION__": "observer:any",
    "__CFRUNLOOP_IS_SERVICING_THE_MAIN_DISPATCH_QUEUE__": "main-queue",
  ]

  private static let threadBases: Set<String> = [
    "_start", "main", "__libc_start_main", "__libc_start_call_main", "__libc_start_main_impl",
    "start_thread", "clone", "clone3", "__clone3",
  ]

  /// The start of a mangled name of the module Mainspring.
  private static let loopModule = "$s10Mainspring"
  /// And of the module by which it calls the kernel.
  private static let kernelModule = "$s11LinuxKernel"
  /// What that has in C, and waits in.
  private static let kernelFunctions: Set<String> = [
    "ms_system_call", "ms_futex_wait", "ms_futex_wake", "ms_epoll_wait", "ms_epoll_wait_coarse",
  ]

  /// What lies beneath the loop is no mark of one: programs call it, too, as they call a runtime.
  private static func isKernelCall(symbol: String?, mangled: String?) -> Bool {
    mangled?.hasPrefix(kernelModule) ?? false || symbol.map { kernelFunctions.contains($0) } ?? false
  }

  private static func isLoop(symbol: String?, mangled: String?) -> Bool {
    if let mangled, mangled.hasPrefix(loopModule) { return true }
    guard let symbol = symbol.map(SymbolName.normalized) else { return false }
    return symbol.hasPrefix(loopModule) || symbol.hasPrefix("Mainspring.")
      || symbol.hasPrefix("CFRunLoopRun")
      || symbol.hasPrefix("__CFRunLoop")
  }

  private static func isThunk(_ name: String) -> Bool {
    var symbol = name[...]
    // What the compiler made of a thunk is one, too.
    while let prefix = ["partial apply for ", "partial apply forwarder for ", "specialized "]
      .first(where: { symbol.hasPrefix($0) })
    {
      symbol = symbol.dropFirst(prefix.count)
    }
    return symbol.hasPrefix("reabstraction thunk") || symbol.hasPrefix("thunk for ")
      || symbol.hasPrefix("outlined ")
      || symbol.hasPrefix("swift_")
  }

  private static let runtimeLibraries = [
    "libswift", "libdispatch", "libBlocksRuntime", "libstdc++", "libgcc_s",
  ]
  private static let cLibraries = [
    "libc.so", "libc-", "libm.so", "libpthread", "ld-linux", "librt.so", "libdl.so",
  ]

  private static func ofImage(_ image: String) -> Self? {
    let name = image.split(separator: "/").last ?? Substring(image)
    if runtimeLibraries.contains(where: { name.hasPrefix($0) }) { return .runtime }
    if cLibraries.contains(where: { name.hasPrefix($0) }) { return .libc }
    return nil
  }
}
