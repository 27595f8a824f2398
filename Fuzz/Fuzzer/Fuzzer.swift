import CFuzzer
import FuzzedParsers
import Glibc

/// The parser's name is in the environment, as all options are the driver's: MAINSPRING_FUZZ_PARSER.
@main enum Fuzzer {
  fileprivate static let parser: FuzzedParser? = {
    // SAFETY: the text is the environment's own, which nobody changes, and is copied at once.
    guard let name = unsafe getenv("MAINSPRING_FUZZ_PARSER") else { return nil }
    return unsafe FuzzedParser(rawValue: String(cString: name))
  }()

  static func main() -> Void {
    guard parser != nil else {
      let names = FuzzedParser.allCases.map(\.rawValue).joined(separator: " ")
      print("MAINSPRING_FUZZ_PARSER must be one of \(names)")
      exit(2)
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
    // SAFETY: the driver takes what `main` was given.
    let status = unsafe LLVMFuzzerRunDriver(&count, &arguments, read)
    exit(status)
  }
}

/// One input for the parser.
private func read(_ bytes: UnsafePointer<UInt8>?, count: Int) -> CInt {
  // SAFETY: the driver's `count` bytes live as long as the call, and are copied.
  Fuzzer.parser?.read(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
