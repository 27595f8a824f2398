import CoreFoundation
import SimulationPrograms

/// CFRunLoop's names of modes.
enum CoreFoundationMode {
  // SAFETY: strings that nobody changes.
  @safe private nonisolated(unsafe) static let names: [CFString] = Program.Mode.allCases.map {
    switch $0 {
    // By pointer and not by value: an equal string makes a mode of its own (CF 79, changed by M15).
    case .common: kCFRunLoopCommonModes
    case .default: kCFRunLoopDefaultMode
    default: string("\($0)")
    }
  }

  /// A mode of the world's own, for taking away what is left of a wake.
  @safe nonisolated(unsafe) static let drain: CFString = string("drain")

  private static func string(_ text: String) -> CFString {
    unsafe CFStringCreateWithCString(nil, text, CFStringEncoding(0x0800_0100))
  }

  static func name(of mode: Program.Mode) -> CFString { names[mode.rawValue] }

  static func mode(of name: CFString) -> Program.Mode {
    Program.Mode(rawValue: names.firstIndex { CFEqual($0, name) }!)!
  }

  static func names(of modes: [Program.Mode]) -> CFTypeRef {
    if modes.count == 1 { return name(of: modes[0]) }
    var callBacks = kCFTypeArrayCallBacks
    let array = unsafe CFArrayCreateMutable(nil, modes.count, &callBacks)
    for mode in modes {
      // SAFETY: the array retains the names, which live as long as the process anyway.
      unsafe CFArrayAppendValue(array, Unmanaged.passUnretained(name(of: mode)).toOpaque())
    }
    return array!
  }
}

enum CoreFoundationActivity {
  private static let flags: [(Program.Activity, CFRunLoopActivity)] = [
    (.entry, .entry), (.beforeTimers, .beforeTimers), (.beforeSources, .beforeSources),
    (.beforeWaiting, .beforeWaiting), (.afterWaiting, .afterWaiting), (.exit, .exit),
  ]

  static func flags(of activities: Program.Activity) -> CFOptionFlags {
    flags.filter { activities.contains($0.0) }.reduce(0) { $0 | CFOptionFlags($1.1.rawValue) }
  }

  static func activity(of flag: CFRunLoopActivity) -> Program.Activity { flags.first { $0.1 == flag }!.0 }
}
