import Foundation
import Testing

/// A service as a process of its own, with a supervisor.
@Suite struct ServiceTests {
  /// A service that was started and is ready.
  private final class Started {
    let process = Process()
    let socket: NotifySocket
    private let output = Foundation.Pipe()

    init(_ scenario: String, watchdog: Int? = nil) throws {
      socket = try NotifySocket()
      let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
      process.executableURL = folder.appendingPathComponent("ServiceProgram")
      process.arguments = [scenario]
      var environment = ProcessInfo.processInfo.environment
      environment["NOTIFY_SOCKET"] = socket.name
      environment["WATCHDOG_USEC"] = watchdog.map { "\($0)" }
      process.environment = environment
      process.standardOutput = output
      try process.run()
    }

    func told() -> [String] {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text.split(separator: "\n").map(String.init)
    }

    func firstLine() -> String {
      var line: [UInt8] = []
      while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
        line.append(byte)
      }
      return String(decoding: line, as: UTF8.self)
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a service tells that it is ready, is asked to end, and ends in order`(signal: Int32) throws {
    let service = try Started("orderly")
    #expect(service.socket.next() == ["READY=1", "STATUS=waits for work"])
    service.send(signal)
    #expect(service.socket.next() == ["STOPPING=1"])
    #expect(service.told() == ["ready", "asked to end by \(signal), ending: true", "ended: stopped"])
    #expect(service.process.terminationReason == .exit && service.process.terminationStatus == 0)
  }

  @Test func `an end that does not come is brought about when the grace is over`() throws {
    let service = try Started("never")
    #expect(service.socket.next().first == "READY=1")
    service.send(SIGTERM)
    #expect(service.told().last == "ended: stopped")
  }

  @Test func `a second signal ends the process at once`() throws {
    let service = try Started("patient")
    #expect(service.socket.next().first == "READY=1")
    service.send(SIGTERM)
    #expect(service.socket.next() == ["STOPPING=1"])
    service.send(SIGTERM)
    #expect(!service.told().contains("ended: stopped"))
    #expect(service.process.terminationReason == .uncaughtSignal)
  }

  @Test func `SIGHUP reloads, and is told with the time`() throws {
    let service = try Started("orderly")
    #expect(service.socket.next().first == "READY=1")
    service.send(SIGHUP)
    let reloading = service.socket.next()
    #expect(reloading.first == "RELOADING=1" && reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
    #expect(service.socket.next() == ["READY=1"])
    service.send(SIGTERM)
    #expect(service.told().contains("reloads"))
  }

  @Test func `the loop feeds the watchdog as long as it goes round`() throws {
    let service = try Started("orderly", watchdog: 20_000)
    var messages = 0
    while messages < 10 { if service.socket.next() == ["WATCHDOG=1"] { messages += 1 } }
    service.send(SIGTERM)
    #expect(service.told().last == "ended: stopped")
  }

  @Test
  func `a supervisor that does not read holds nothing up, and hears in the end that the service is ready`()
    throws
  {
    let service = try Started("unheard", watchdog: 20_000)
    #expect(service.firstLine() == "has no room")
    var messages: [[String]] = []
    repeat { messages.append(service.socket.next()) } while messages.last?.first != "READY=1"
    #expect(messages.contains(["STATUS=of no interest"]))
    service.send(SIGTERM)
    #expect(service.told().last == "ended: stopped")
  }

  @Test func `a service that nobody hears ends when it is asked to`() throws {
    let service = try Started("unheard")
    #expect(service.firstLine() == "has no room")
    service.send(SIGTERM)
    #expect(service.told().last == "ended: stopped")
  }
}
