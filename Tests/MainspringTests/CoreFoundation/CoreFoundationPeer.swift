import CoreFoundation
import Glibc
import Mainspring

/// CFRunLoop, in real time: that of the thread that makes the peer.
final class CoreFoundationPeer: Peer, @unchecked Sendable {
  // Sendable: CFRunLoop locks what other threads touch, and the constants do not change.
  private let loop = CFRunLoopGetCurrent()!
  private let beginning = CFAbsoluteTimeGetCurrent()
  private let made = Record<any PeerItem>()

  func end() {
    for item in made.all { item.invalidate() }
    made.clear()
  }

  func observe(
    _ activities: RunLoop.Activity, repeats: Bool, order: Int, in modes: [String],
    _ body: @escaping @Sendable (RunLoop.Activity) -> Void
  ) -> any PeerItem {
    let observer = CFRunLoopObserverCreateWithHandler(nil, Self.bits(activities), repeats, order) { _, told in
      body(Self.activity(UInt(told.rawValue)))
    }!
    return add(CoreFoundationItem(.observer(observer), in: loop), to: modes)
  }

  func addSource(
    order: Int, in modes: [String], onCancel: (@Sendable () -> Void)?,
    _ perform: @escaping @Sendable () -> Void
  ) -> any PeerItem {
    var context = unsafe CFRunLoopSourceContext()
    // SAFETY: the source owns the reference that `passRetained` made, and gives it back by `release`.
    unsafe context.info = Unmanaged.passRetained(Cargo(perform, onCancel)).toOpaque()
    unsafe context.release = { raw in unsafe Unmanaged<Cargo>.fromOpaque(raw!).release() }
    unsafe context.perform = { raw in unsafe Unmanaged<Cargo>.fromOpaque(raw!).takeUnretainedValue().perform()
    }
    unsafe context.cancel = { raw, _, _ in
      unsafe Unmanaged<Cargo>.fromOpaque(raw!).takeUnretainedValue().cancel?()
    }
    let source = unsafe CFRunLoopSourceCreate(nil, order, &context)!
    return add(CoreFoundationItem(.source(source), in: loop), to: modes)
  }

  func addTimer(
    after delay: Duration, every interval: Duration?, in modes: [String],
    _ handler: @escaping @Sendable () -> Void
  ) -> any PeerItem {
    let date = beginning + delay / .seconds(1)
    let seconds = interval.map { $0 / .seconds(1) } ?? 0
    let timer = CFRunLoopTimerCreateWithHandler(nil, date, seconds, 0, 0) { _ in handler() }!
    return add(CoreFoundationItem(.timer(timer), in: loop), to: modes)
  }

  private func add(_ item: CoreFoundationItem, to modes: [String]) -> any PeerItem {
    for mode in modes { item.add(to: mode) }
    made.add(item)
    return item
  }

  func perform(in modes: [String], _ block: @escaping @Sendable () -> Void) {
    let names = modes.map(modeName)
    // SAFETY: the names outlive the array, which the loop copies with references of its own.
    var pointers = unsafe names.map { unsafe UnsafeRawPointer?(Unmanaged.passUnretained($0).toOpaque()) }
    let array = unsafe CFArrayCreate(nil, &pointers, pointers.count, nil)!
    withExtendedLifetime(names) { CFRunLoopPerformBlock(loop, array, block) }
  }

  func stop() { CFRunLoopStop(loop) }

  func run(in mode: String, for limit: Duration?, returning: Bool) -> String {
    let seconds = limit.map { $0 / .seconds(1) } ?? .infinity
    switch CFRunLoopRunInMode(modeName(mode), seconds, returning).rawValue {
    case 1: return "finished"
    case 2: return "stopped"
    case 3: return "timedOut"
    default: return "handledSource"
    }
  }

  /// CFRunLoop does not tell how this run ended.
  func run() -> String {
    CFRunLoopRun()
    return ""
  }

  func addCommonMode(_ mode: String) { CFRunLoopAddCommonMode(loop, modeName(mode)) }
  var currentMode: String? { CFRunLoopCopyCurrentMode(loop).map { ownName($0) } }

  var modes: [String] {
    let all = CFRunLoopCopyAllModes(loop)!
    return (0..<CFArrayGetCount(all)).map { index in
      // SAFETY: the array holds the names, and lives as long as this.
      ownName(
        unsafe Unmanaged<CFString>.fromOpaque(CFArrayGetValueAtIndex(all, index)!).takeUnretainedValue())
    }
  }

  func spend(_ duration: Duration) {
    let end = CFAbsoluteTimeGetCurrent() + duration / .seconds(1)
    while CFAbsoluteTimeGetCurrent() <= end { sched_yield() }
  }

  private static let activities: [(RunLoop.Activity, UInt)] = [
    (.entry, 1), (.beforeTimers, 2), (.beforeSources, 4), (.beforeWaiting, 32), (.afterWaiting, 64),
    (.exit, 128),
  ]

  private static func bits(_ wanted: RunLoop.Activity) -> UInt {
    activities.reduce(0) { wanted.contains($1.0) ? $0 | $1.1 : $0 }
  }

  private static func activity(_ bit: UInt) -> RunLoop.Activity { activities.first { $0.1 == bit }!.0 }
}

/// What a source of CFRunLoop holds.
private final class Cargo: Sendable {
  let perform: @Sendable () -> Void
  let cancel: (@Sendable () -> Void)?

  init(_ perform: @escaping @Sendable () -> Void, _ cancel: (@Sendable () -> Void)?) {
    self.perform = perform
    self.cancel = cancel
  }
}

private final class CoreFoundationItem: PeerItem, @unchecked Sendable {
  // Sendable: as the peer.
  private let kind: Kind
  private let loop: CFRunLoop

  enum Kind {
    case observer(CFRunLoopObserver)
    case source(CFRunLoopSource)
    case timer(CFRunLoopTimer)
  }

  init(_ kind: Kind, in loop: CFRunLoop) {
    self.kind = kind
    self.loop = loop
  }

  func signal() { if case .source(let source) = kind { CFRunLoopSourceSignal(source) } }

  func invalidate() {
    switch kind {
    case .observer(let observer): CFRunLoopObserverInvalidate(observer)
    case .source(let source): CFRunLoopSourceInvalidate(source)
    case .timer(let timer): CFRunLoopTimerInvalidate(timer)
    }
  }

  var isValid: Bool {
    switch kind {
    case .observer(let observer): CFRunLoopObserverIsValid(observer)
    case .source(let source): CFRunLoopSourceIsValid(source)
    case .timer(let timer): CFRunLoopTimerIsValid(timer)
    }
  }

  func add(to mode: String) {
    switch kind {
    case .observer(let observer): CFRunLoopAddObserver(loop, observer, modeName(mode))
    case .source(let source): CFRunLoopAddSource(loop, source, modeName(mode))
    case .timer(let timer): CFRunLoopAddTimer(loop, timer, modeName(mode))
    }
  }

  func remove(from mode: String) {
    switch kind {
    case .observer(let observer): CFRunLoopRemoveObserver(loop, observer, modeName(mode))
    case .source(let source): CFRunLoopRemoveSource(loop, source, modeName(mode))
    case .timer(let timer): CFRunLoopRemoveTimer(loop, timer, modeName(mode))
    }
  }

  func isMember(of mode: String) -> Bool {
    switch kind {
    case .observer(let observer): CFRunLoopContainsObserver(loop, observer, modeName(mode))
    case .source(let source): CFRunLoopContainsSource(loop, source, modeName(mode))
    case .timer(let timer): CFRunLoopContainsTimer(loop, timer, modeName(mode))
    }
  }

  var secondsUntilDue: Int? {
    guard case .timer(let timer) = kind else { return nil }
    let date = CFRunLoopTimerGetNextFireDate(timer)
    return date == 0 ? nil : Int((date - CFAbsoluteTimeGetCurrent()).rounded())
  }

  func setDate(after delay: Duration) {
    guard case .timer(let timer) = kind else { return }
    CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + delay / .seconds(1))
  }
}

/// The name by which CFRunLoop knows a mode. It knows the common modes by the constant's address.
private func modeName(_ name: String) -> CFString {
  switch name {
  case "default": kCFRunLoopDefaultMode
  case "common": kCFRunLoopCommonModes
  default: unsafe CFStringCreateWithCString(nil, name, CFStringEncoding(0x0800_0100))
  }
}

private func ownName(_ name: CFString) -> String {
  if CFEqual(name, kCFRunLoopDefaultMode) { return "default" }
  var bytes = [CChar](repeating: 0, count: 256)
  let isConverted = unsafe CFStringGetCString(name, &bytes, bytes.count, CFStringEncoding(0x0800_0100))
  precondition(isConverted, "a mode's name that is longer than a test needs")
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
