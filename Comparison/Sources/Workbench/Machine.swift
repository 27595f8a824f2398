import Foundation
import Glibc

/// Where it was measured.
public struct Machine: Sendable, CustomStringConvertible {
  public let description: String

  /// A machine of that description.
  public init(description: String) { self.description = description }

  /// This one.
  public static var this: Machine {
    var name = utsname()
    // SAFETY: the call fills in the texts, each of which ends in zero.
    unsafe uname(&name)
    let release = unsafe withUnsafeBytes(of: name.release) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let processor = unsafe withUnsafeBytes(of: name.machine) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let count = ProcessInfo.processInfo.activeProcessorCount
    let version = release.split(separator: "-").first.map(String.init) ?? release
    return Machine(
      description: "Linux \(version), \(processor)\(model.map { " (\($0))" } ?? ""), "
        + "\(count) \(count == 1 ? "processor" : "processors")")
  }

  /// What the processors call themselves.
  private static var model: String? {
    let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    return facts.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
