import Glibc
import LinuxKernel
import StallReport
import Symbols

/// What reports say about the program; gathered once, when the monitor starts.
struct ProcessFacts {
  let application: Report.Application
  let host: Report.Host
  private let startUnix: Report.UnixTime
  private let startMonotonic: UInt64

  init(memory: OwnMemory) {
    let path = Self.executablePath
    let module = try? ModuleMapFile().current().modules.first { $0.path == path }
    application = Report.Application(
      name: path.split(separator: "/").last.map(String.init) ?? "?",
      buildID: module.flatMap { ModuleImage($0, memory: memory)?.buildID }.map { "\($0)" })
    host = Report.Host.ofThisMachine
    startMonotonic = MonotonicClock.now()
    startUnix = .now
  }

  func process(at monotonic: UInt64) -> Report.Process {
    var process = Report.Process(pid: Int(getpid()))
    process.parent = Int(getppid())
    process.start = startUnix
    let uptime = monotonic > startMonotonic ? monotonic - startMonotonic : 0
    process.uptime = .nanoseconds(Int64(clamping: uptime))
    return process
  }

  /// Code of the program, as against the system's and the language's libraries.
  func isInApp(_ path: String) -> Bool {
    if path == Self.executablePath { return true }
    guard path.hasPrefix("/") else { return false }
    let name = path.split(separator: "/").last ?? ""
    return !Self.systemFolders.contains { path.hasPrefix($0) }
      && !Self.runtimeLibraries.contains { name.hasPrefix($0) }
  }

  private static let systemFolders = ["/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/", "/usr/libexec/"]
  private static let runtimeLibraries = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libTesting",
  ]

  static let executablePath: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // SAFETY: writes at most the array's length.
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }()

  /// Whether somebody traces the process: threads then stop for reasons of their own.
  static var isDebugged: Bool {
    guard let bytes = try? ReadOnlyFile.contents(ofPath: "/proc/self/status", expecting: 4096) else {
      return false
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("TracerPid:") }.map { !$0.hasSuffix("\t0") } ?? false
  }
}
