import CoreFoundation
import Foundation
import LinuxKernel
import Mainspring
import MainspringFoundation

/// A loop as a guest of CFRunLoop.
enum HostScenario {
  /// Timers, a descriptor that is read a byte at a time, blocks from elsewhere; run by CFRunLoop alone.
  @MainActor
  static func everything() throws {
    let main = Loop.main.base
    let host = try main.beHostedByFoundation()
    let end = Countdown(3) { CFRunLoopStop(CFRunLoopGetMain()) }
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(repeating: 1, count: 200))
    let bytes = Countdown(200) {
      tell("200 bytes")
      end.step()
    }
    try main.add(
      Loop.DescriptorSource(pipe.fileHandleForReading.fileDescriptor) { source, _ in
        var byte: UInt8 = 0
        // SAFETY: reads a byte.
        _ = unsafe read(source.descriptor, &byte, 1)
        MainActor.assumeIsolated { bytes.step() }
      }, to: .default)
    let beats = Countdown(5) {
      tell("5 beats")
      try? NativeThread.start(named: "elsewhere") {
        main.perform(in: .common) {
          tell("block")
          MainActor.assumeIsolated { end.step() }
        }
      }
      end.step()
    }
    let timer = Loop.Timer(every: .milliseconds(10)) { _ in MainActor.assumeIsolated { beats.step() } }
    main.add(timer, to: .default)
    CFRunLoopRun()
    timer.invalidate()
    host.invalidate()
    tell("hosted: \(main.isHosted)")
  }

  /// On another thread, in another mode, by Foundation's name for it.
  static func onAThread() throws {
    let ended = Loop.Token()
    try NativeThread.start(named: "worker") {
      let loop = Loop.current
      let mode = Foundation.RunLoop.Mode("aside")
      let host = try? loop.beHostedByFoundation(in: .tracking, during: [mode.rawValue._cfName])
      loop.perform(in: .tracking) { tell("block in \(loop.currentMode!)") }
      let timer = Loop.Timer(after: .milliseconds(1)) { _ in
        tell("timer")
        CFRunLoopStop(CFRunLoopGetCurrent())
      }
      loop.add(timer, to: .common)
      _ = Foundation.RunLoop.current.run(mode: mode, before: .distantFuture)
      while timer.isValid { _ = Foundation.RunLoop.current.run(mode: mode, before: .distantFuture) }
      tell(
        "empty: \({ host?.invalidate(); return !Foundation.RunLoop.current.run(mode: mode, before: .distantFuture) }())"
      )
      ended.signal()
    }
    Loop.current.run(until: ended)
  }

  /// A callout that runs Foundation's loop has ours go on, and one that runs ours as well.
  @MainActor
  static func nested() throws {
    let main = Loop.main.base
    let host = try main.beHostedByFoundation()
    main.perform(in: .default) {
      tell("outer begins")
      main.perform(in: .default) {
        tell("in a run of Foundation's")
        CFRunLoopStop(CFRunLoopGetMain())
      }
      CFRunLoopRun()
      main.perform(in: .default) {
        tell("in a run of ours")
        main.stop()
      }
      tell("nested: \(main.run().reason)")
      CFRunLoopStop(CFRunLoopGetMain())
    }
    CFRunLoopRun()
    withExtendedLifetime(host) { tell("ended") }
  }
}

extension String {
  /// As CFRunLoop has it.
  var _cfName: CFString {
    unsafe CFStringCreateWithCString(nil, self, CFStringBuiltInEncodings.UTF8.rawValue)
  }
}
