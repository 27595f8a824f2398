import CoreFoundation
import Dispatch
import LinuxKernel
import Mainspring
import MainspringDispatch

/// The main loop as a guest of the main queue, which CFRunLoop serves.
@MainActor
enum HostScenario {
  static var beats = 0

  static func turns() throws {
    let main = RunLoop.main
    let host = try main.beHostedByMainQueue()
    main.addTimer(every: .milliseconds(1)) { timer in
      beats += 1
      if beats == 3 { timer.invalidate() }
      if beats == 3 { try? NativeThread.start(named: "elsewhere") { post() } }
    }
    main.perform(in: .default) { tell("block") }
    CFRunLoopRun()
    host.invalidate()
    tell("hosted: \(main.base.isHosted)")
    main.perform(in: .default) { tell("run by itself") }
    main.run()
  }

  private nonisolated static func post() {
    RunLoop.main.perform(in: .default) {
      tell("block from elsewhere after \(beats) beats, on the main thread: \(ThreadIdentity.isMain)")
      CFRunLoopStop(CFRunLoopGetMain())
    }
  }

  /// A host that went may be followed by serving, and the other way round.
  static func served() throws {
    var host: MainQueueHost? = try RunLoop.main.beHostedByMainQueue(in: .tracking)
    tell("hosted in \(host!.guest.mode)")
    host = nil
    let service = try RunLoop.main.serveMainQueue()
    DispatchQueue.main.async {
      tell("served")
      service.invalidate()
    }
    tell("ended: \(RunLoop.main.run().reason)")
    host = try RunLoop.main.beHostedByMainQueue()
    tell("hosted: \(RunLoop.main.base.isHosted)")
  }
}
