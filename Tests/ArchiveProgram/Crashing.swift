import Glibc
import LinuxKernel
import Mainspring
import StallMonitor

/// Crashes in the way asked for, with a monitor that keeps what it reports and a rescue that finishes at once.
enum Crashing {
  static func run(in folder: String, _ way: String) throws {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    var configuration = StallMonitor.Configuration()
    configuration.folder = folder
    // On a busy machine the way to the crash is long.
    configuration.threshold = .seconds(60)
    configuration.onFailure = { ArchiveProgram.tell("failure \($0)") }
    let monitor = try StallMonitor(configuration)
    monitor.watch(.current, as: "crashing")
    // Nor is a report written at once where everything else is tested beside it; nothing waits for the limit itself.
    let rescue = try CrashRescue(on: .current, within: .seconds(200)) { crash in
      ArchiveProgram.tell("saved")
      crash.finish()
    }
    RunLoop.current.add(
      RunLoop.Timer(after: .milliseconds(1)) { _ in
        switch way {
        case "crash-null-call": callNothing()
        case "crash-elsewhere": crashElsewhere()
        default: writeNowhere(64)
        }
      }, to: .default)
    RunLoop.current.run(in: .default, for: .seconds(300), whenEmpty: .wait)
    withExtendedLifetime((monitor, rescue)) {}
  }

  /// Where nothing may be written.
  @inline(never)
  static func writeNowhere(_ address: UInt) {
    // No claim is made: this is to crash.
    unsafe UnsafeMutablePointer<UInt8>(bitPattern: address)!.pointee = 1
  }

  /// Calls what is no function.
  @inline(never)
  static func callNothing() {
    let function = unsafe unsafeBitCast(UInt(16), to: (@convention(c) (CInt) -> CInt).self)
    ArchiveProgram.tell("not reached \(function(1))")
  }

  static func crashElsewhere() {
    guard let thread = try? RunLoopThread(named: "crasher") else { return }
    thread.perform { writeNowhere(72) }
    _ = unsafe Unmanaged.passRetained(thread)
  }
}
