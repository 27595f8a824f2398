import CoreFoundation
import Foundation
import LinuxKernel
import Mainspring
import MainspringFoundation
import Synchronization

/// Foundation's loop of the main thread as a guest of the main loop.
@MainActor
enum GuestScenario {
  nonisolated static let main = Loop.main.base
  static let foundation = Foundation.RunLoop.main

  static func timers() throws {
    try main.hostFoundation()
    let end = Countdown(3) { main.stop() }
    _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: false) { _ in
      tell("timer")
      MainActor.assumeIsolated { end.step() }
    }
    let beats = Atomic<Int>(0)
    let repeating = Timer(timeInterval: 0.001, repeats: true) { timer in
      guard beats.wrappingAdd(1, ordering: .relaxed).newValue == 3 else { return }
      timer.invalidate()
      MainActor.assumeIsolated { end.step() }
    }
    foundation.add(repeating, forMode: .common)
    // Another thread's timer, which wakes nobody, and the call that does.
    try NativeThread.start(named: "elsewhere") {
      let timer = Timer(timeInterval: 0.001, repeats: false) { _ in MainActor.assumeIsolated { end.step() } }
      Foundation.RunLoop.main.add(timer, forMode: .default)
      CFRunLoopWakeUp(CFRunLoopGetMain())
    }
    tell("ended: \(main.run().reason), \(beats.load(ordering: .relaxed)) beats")
  }

  /// What is queued on the thread itself, and wakes nobody.
  static func queued() throws {
    try main.hostFoundation()
    let end = Countdown(4) { main.stop() }
    let names = ["asap", "idle"].map { Notification.Name($0) }
    for name in names {
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
        tell("posted: \(notification.name.rawValue)")
        MainActor.assumeIsolated { end.step() }
      }
    }
    foundation.perform {
      tell("performed")
      MainActor.assumeIsolated { end.step() }
    }
    main.addTimer(after: .milliseconds(2)) {
      foundation.perform {
        tell("performed from a timer of the loop's")
        MainActor.assumeIsolated { end.step() }
      }
      NotificationQueue.default.enqueue(Notification(name: names[0]), postingStyle: .asap)
      NotificationQueue.default.enqueue(Notification(name: names[1]), postingStyle: .whenIdle)
    }
    tell("ended: \(main.run().reason)")
  }

  static func files() throws {
    try main.hostFoundation()
    let end = Countdown(2) { main.stop() }
    let read = Pipe()
    _ = NotificationCenter.default.addObserver(
      forName: FileHandle.readCompletionNotification, object: read.fileHandleForReading, queue: nil
    ) { notification in
      let data = notification.userInfo?[NSFileHandleNotificationDataItem] as? Data
      tell("read in the background: \(String(decoding: data ?? Data(), as: UTF8.self))")
      MainActor.assumeIsolated { end.step() }
    }
    read.fileHandleForReading.readInBackgroundAndNotify()
    let handled = Pipe()
    handled.fileHandleForReading.readabilityHandler = { handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      handle.readabilityHandler = nil
      DispatchQueue.main.async {
        tell("readable: \(text)")
        MainActor.assumeIsolated { end.step() }
      }
      read.fileHandleForWriting.write(Data("later".utf8))
    }
    handled.fileHandleForWriting.write(Data("at once".utf8))
    tell("ended: \(main.run().reason)")
  }

  /// Wake-ups from another thread, as fast as they are answered: none is lost.
  static func wakes() throws {
    try main.hostFoundation()
    let count = Atomic<Int>(0)
    let answered = DispatchSemaphore(value: 0)
    let source = CFSource { _ in
      count.wrappingAdd(1, ordering: .relaxed)
      answered.signal()
    }
    source.add(to: kCFRunLoopDefaultMode)
    try NativeThread.start(named: "elsewhere") {
      for _ in 0..<2000 {
        source.signal()
        CFRunLoopWakeUp(CFRunLoopGetMain())
        answered.wait()
      }
      main.stop()
    }
    tell("ended: \(main.run().reason), performed \(count.load(ordering: .relaxed))")
  }

  /// Sources of CFRunLoop's own.
  static func sources() throws {
    try main.hostFoundation()
    let count = Atomic<Int>(0)
    let source = CFSource {
      // It signals itself for longer than a turn lasts.
      if count.wrappingAdd(1, ordering: .relaxed).newValue < 200 { $0.signal() } else { main.stop() }
    }
    source.add(to: kCFRunLoopDefaultMode)
    try NativeThread.start(named: "elsewhere") {
      source.signal()
      CFRunLoopWakeUp(CFRunLoopGetMain())
    }
    tell("ended: \(main.run().reason), performed \(count.load(ordering: .relaxed))")
  }

  /// The default mode alone, and the common ones.
  static func modes() throws {
    try main.hostFoundation()
    let names = [(Foundation.RunLoop.Mode.default, "default"), (.common, "common")]
    for (mode, name) in names {
      foundation.add(
        Timer(timeInterval: 0.001, repeats: false) { _ in tell("timer in \(name)") }, forMode: mode)
    }
    main.addTimer(after: .milliseconds(10), to: .tracking) { main.stop() }
    tell("tracking: \(main.run(in: .tracking).reason)")
    foundation.perform(inModes: [.default]) { main.stop() }
    tell("default: \(main.run(in: .default).reason)")
  }

  /// Nothing is looked for while nothing happens.
  static func idle() throws {
    try main.hostFoundation()
    let passes = Atomic<Int>(0)
    let observer = CFRunLoopObserverCreateWithHandler(nil, CFRunLoopActivity.beforeTimers.rawValue, true, 0) {
      _, _ in
      passes.wrappingAdd(1, ordering: .relaxed)
    }
    CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
    foundation.add(Timer(timeInterval: 1000, repeats: true) { _ in }, forMode: .common)
    main.addTimer(after: .milliseconds(200)) { main.stop() }
    main.run()
    tell("few passes: \(passes.load(ordering: .relaxed) < 5)")
  }

  static func ended() throws {
    let guest = try main.hostFoundation()
    guest.invalidate()
    tell("empty: \(main.run().reason)")
    let second = try main.hostFoundation()
    foundation.perform {
      tell("performed")
      second.invalidate()
    }
    tell("ended: \(main.run().reason)")
    foundation.perform { CFRunLoopStop(CFRunLoopGetMain()) }
    CFRunLoopRun()
    tell("run by itself")
  }
}

extension Loop {
  /// A timer whose handler is the main actor's.
  @MainActor
  func addTimer(
    after delay: Duration, to mode: Mode = .common, _ handler: @escaping @MainActor @Sendable () -> Void
  ) {
    add(Timer(after: delay) { _ in MainActor.assumeIsolated { handler() } }, to: mode)
  }
}
