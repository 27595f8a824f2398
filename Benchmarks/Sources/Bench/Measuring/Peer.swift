/// A column of the measurement: a loop and a way of using it, or a floor, which is a part of a loop.
struct Peer: Sendable, Hashable {
  /// As its program takes it.
  let name: String
  /// The program that has it, beside this one.
  let program: String

  var isOurs: Bool { program == "MainspringPeer" }
}

enum Peers {
  /// In the order of the tables.
  static let all = [
    peer("raw", "Raw"), peer("raw-thread", "Raw"), peer("futex", "Raw"), peer("futex-spin", "Raw"),
    peer("calls", "Raw"),
    peer("thread", "Raw"), peer("libuv", "Libuv"), peer("libev", "Libev"), peer("libevent", "Libevent"),
    peer("glib", "GLib"), peer("cfrl", "CoreFoundation"), peer("cfrl-main", "CoreFoundation"),
    peer("foundation", "Swift"), peer("dispatch", "Dispatch"), peer("dispatch-swift", "Swift"),
    peer("mainspring", "Mainspring"), peer("mainspring-main", "Mainspring"),
    peer("mainspring-spin", "Mainspring"), peer("mainspring-port", "Mainspring"),
    peer("mainspring-tol", "Mainspring"), peer("mainspring-trace", "Mainspring"),
  ]

  static func named(_ name: String) -> Peer? { all.first { $0.name == name } }

  private static func peer(_ name: String, _ program: String) -> Peer {
    Peer(name: name, program: program + "Peer")
  }
}
