import Glibc
import StallReport
import Symbols

extension Report.Host {
  /// What the kernel and the distribution say of the machine.
  static var ofThisMachine: Report.Host {
    var host = Report.Host()
    var names = utsname()
    // SAFETY: fills one utsname, whose fields are strings that end in a zero.
    if unsafe uname(&names) == 0 {
      host.name = text(of: &names.nodename)
      host.kernel = text(of: &names.release)
      host.arch = text(of: &names.machine)
    }
    host.id = identifier
    host.cpus = Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    host.os = distribution
    return host
  }

  /// Made from the machine's own number, which is not for others to know. Containers often have none.
  private static var identifier: String? {
    guard let bytes = try? ReadOnlyFile.contents(ofPath: "/etc/machine-id", expecting: 64) else { return nil }
    let number = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return number.isEmpty ? nil : "h-" + StableHash(["mainspring-host", number]).shortDigits
  }

  private static func text<Field>(of field: inout Field) -> String {
    // SAFETY: reads the field's own bytes, up to the first zero.
    unsafe withUnsafeBytes(of: &field) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static var distribution: String? {
    guard let bytes = try? ReadOnlyFile.contents(ofPath: "/etc/os-release", expecting: 1024) else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let key = "PRETTY_NAME="
    return lines.first { $0.hasPrefix(key) }.map { $0.dropFirst(key.count).filter { $0 != "\"" } }
  }
}
