import Glibc
import Mainspring
import StallMonitor

/// How often the monitor's thread wakes while all loops that it watches wait.
struct IdleWakeUps {
  let count: Int
  /// How long they were counted.
  static let seconds = 5

  /// As the kernel counts the times at which the monitor's threads went to sleep.
  static func measure() throws -> IdleWakeUps {
    let monitor = try StallMonitor()
    let loops = try (0..<4).map { try LoopThread(named: "idle-\($0)") }
    for (number, loop) in loops.enumerated() { monitor.watch(loop.loop, as: "idle \(number)") }
    // Until the last of what was asked of it is done.
    sleep(1)
    let before = sleeps
    sleep(UInt32(seconds))
    let after = sleeps
    for loop in loops { loop.end() }
    monitor.stop()
    return IdleWakeUps(count: after - before)
  }

  /// How often threads of the monitor's went to sleep so far.
  private static var sleeps: Int {
    ThreadFiles.threads.filter { ThreadFiles.text("comm", of: $0).hasPrefix("stall-") }
      .map {
        ThreadFiles.number(after: "\nvoluntary_ctxt_switches:\t", in: ThreadFiles.text("status", of: $0))
      }
      .reduce(0, +)
  }
}

/// What the kernel says of this process's threads.
private enum ThreadFiles {
  static var threads: [String] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if Int(name) != nil { names.append(name) }
    }
    return names
  }

  static func text(_ file: String, of thread: String) -> String {
    guard let stream = fopen("/proc/self/task/\(thread)/\(file)", "r") else { return "" }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, stream)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  static func number(after key: String, in text: String) -> Int {
    // "nonvoluntary" ends alike, so that the key begins with the line.
    guard let range = text.firstRange(of: key) else { return 0 }
    return Int(text[range.upperBound...].prefix(while: \.isNumber)) ?? 0
  }
}
