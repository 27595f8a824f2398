import Glibc
@testable import MainspringService
import Testing

@Suite struct SupervisorTests {
  private func supervisor(_ variables: [String: String]) -> Supervisor? {
    Supervisor(environment: { variables[$0] })
  }

  @Test func `there is a supervisor where the environment names its socket`() {
    #expect(supervisor([:]) == nil)
    #expect(supervisor(["NOTIFY_SOCKET": ""]) == nil)
    #expect(supervisor(["NOTIFY_SOCKET": "relative"]) == nil)
    #expect(supervisor(["NOTIFY_SOCKET": "@"]) == nil)
    #expect(supervisor(["NOTIFY_SOCKET": "/run/notify"])?.socket == "/run/notify")
    #expect(supervisor(["NOTIFY_SOCKET": "@abstract"])?.watchdogInterval == nil)
  }

  @Test func `a watchdog is for the process that it names`() {
    var variables = ["NOTIFY_SOCKET": "@s", "WATCHDOG_USEC": "3000000"]
    #expect(supervisor(variables)?.watchdogInterval == .seconds(3))
    variables["WATCHDOG_PID"] = "\(getpid())"
    #expect(supervisor(variables)?.watchdogInterval == .seconds(3))
    variables["WATCHDOG_PID"] = "1"
    #expect(supervisor(variables)?.watchdogInterval == nil)
    for wrong in ["", "0", "-5", "3s", "99999999999999999999"] {
      variables = ["NOTIFY_SOCKET": "@s", "WATCHDOG_USEC": wrong]
      #expect(supervisor(variables)?.watchdogInterval == nil)
    }
  }

  @Test func `messages are told as sd_notify tells them, by path and by abstract name`() throws {
    for isAbstract in [false, true] {
      let socket = try NotifySocket(isAbstract: isAbstract)
      let supervisor = try #require(Supervisor(environment: { $0 == "NOTIFY_SOCKET" ? socket.name : nil }))
      #expect(supervisor.tell(.ready, .status("two\nlines")))
      #expect(socket.next() == ["READY=1", "STATUS=two lines"])
      #expect(supervisor.tell(.extendTimeout(.milliseconds(1500))))
      #expect(socket.next() == ["EXTEND_TIMEOUT_USEC=1500000"])
      #expect(supervisor.tell(.reloading))
      let reloading = socket.next()
      #expect(reloading.first == "RELOADING=1")
      #expect(reloading.last.map { UInt64($0.dropFirst("MONOTONIC_USEC=".count)) != nil } == true)
    }
  }

  @Test func `a supervisor that is not there harms nothing`() throws {
    #expect(supervisor(["NOTIFY_SOCKET": "/nowhere/at/all"])?.tell(.ready) == false)
    let long = "/" + String(repeating: "x", count: 200)
    #expect(supervisor(["NOTIFY_SOCKET": long])?.tell(.ready) == false)
  }
}
