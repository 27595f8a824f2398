import Foundation
import FoundationNetworking
import Mainspring
import MainspringFoundation

/// `URLSession` against a server that is a loop's own.
@MainActor
enum SessionScenario {
  nonisolated static let main = Loop.main.base

  static func run() throws {
    try main.hostFoundation()
    let thread = try RunLoopThread(named: "server")
    let port = try thread.performAndWait { try HTTPServer.listen(on: Loop.current) }
    let url = URL(string: "http://127.0.0.1:\(port)/hello")!
    let end = Countdown(2) {
      Task {
        let (data, response) = try await URLSession.shared.data(from: url)
        tell(
          "awaited: \(String(decoding: data, as: UTF8.self)), \((response as? HTTPURLResponse)?.statusCode ?? 0)"
        )
        main.stop()
      }
    }
    URLSession.shared.dataTask(with: url) { data, _, error in
      let text = data.map { String(decoding: $0, as: UTF8.self) } ?? "\(String(describing: error))"
      DispatchQueue.main.async {
        tell("completed: \(text)")
        MainActor.assumeIsolated { end.step() }
      }
    }.resume()
    let onMain = URLSession(configuration: .default, delegate: nil, delegateQueue: .main)
    onMain.dataTask(with: url) { data, _, _ in
      tell("completed on the main queue: \(String(decoding: data ?? Data(), as: UTF8.self))")
      MainActor.assumeIsolated { end.step() }
    }.resume()
    tell("ended: \(main.run().reason)")
  }
}
