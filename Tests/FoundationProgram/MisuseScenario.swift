import Mainspring
import MainspringFoundation

/// What traps, and with which words.
@MainActor
enum MisuseScenario {
  static func both() throws {
    try Loop.main.base.hostFoundation()
    _ = try Loop.main.base.beHostedByFoundation()
  }

  static func twice() throws {
    try Loop.main.base.hostFoundation()
    try Loop.main.base.hostFoundation()
  }
}
