import CHarness
import CoreFoundation
import Dispatch
import Foundation

/// `foundation`: `RunLoop.perform` and `CFRunLoopWakeUp`, `Timer`, `run(mode:before:)`; `dispatch-swift`:
/// `DispatchQueue.async` with a Swift closure.
@main
struct SwiftPeer {
  static func main() {
    exit(harness_main(CommandLine.argc, CommandLine.unsafeArgv))
  }
}

@_cdecl("peer_lookup")
public func peer_lookup(_ name: UnsafePointer<CChar>, _ operations: UnsafeMutablePointer<peer_ops>) -> Bool {
  switch String(cString: name) {
  case "foundation": operations.pointee = foundationOperations()
  case "dispatch-swift": operations.pointee = dispatchOperations()
  default: return false
  }
  return true
}

/// A C callback and its argument, as the harness hands them over.
struct Callback: @unchecked Sendable {
  // Sendable: the harness calls it on the loop's thread alone and keeps the argument alive.
  let function: task_fn
  let argument: UnsafeMutableRawPointer?

  func callAsFunction() { function(argument) }
}

extension UnsafeMutableRawPointer {
  init(keeping object: AnyObject) { self = Unmanaged.passRetained(object).toOpaque() }

  func as_<Object: AnyObject>(_ type: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(self).takeUnretainedValue()
  }
}
