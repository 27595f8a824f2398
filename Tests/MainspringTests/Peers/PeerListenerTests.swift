import Glibc
import LinuxKernel
import Mainspring
import MainspringPorts
import Testing

@Suite struct PeerListenerTests {
  private static func abstract(_ name: String) -> RunLoop.PortAddress {
    .abstract("mainspring-test-\(getpid())-\(name)")
  }

  @Test func `M30: whoever connects is one callout, and speaks from then on`() throws {
    try CountingPoller.withLoop { loop, _ in
      let folder = TemporaryFolder()
      for address in [RunLoop.PortAddress.path(folder["made/socket"]), Self.abstract("two")] {
        let seen = Record<String>()
        let listener = try RunLoop.PeerListener(at: address) { listener, end in
          #expect(end.peer == RunLoop.PortPeer())
          let port = TextPort(end) { port, event in
            if case .message(let delivery) = event { port.send("answer to \(delivery.message)") }
          }
          do { try RunLoop.current.add(port, to: .default) } catch { Issue.record(error) }
        }
        #expect(listener.debugDescription.contains("peer listener") && listener.address == address)
        try loop.add(listener, to: .default)
        for name in ["a", "b"] {
          let port = TextPort(try .connect(to: address)) { port, event in
            seen.note(event)
            port.close()
          }
          try loop.add(port, to: .default)
          port.send(name)
        }
        while seen.count < 2 { loop.turn() }
        #expect(Set(seen.all) == ["answer to a", "answer to b"])
        listener.invalidate()
        for _ in 0..<4 { loop.turn() }
      }
    }
  }

  @Test func `M30: who is not admitted is turned away, on either side`() throws {
    try CountingPoller.withLoop { loop, _ in
      let refused = Record<RunLoop.PortError>()
      let address = Self.abstract("strict")
      let listener = try RunLoop.PeerListener(
        at: address, admitted: .init { _ in false }, onRefusal: { _, error in refused.add(error) },
        handler: { _, _ in Issue.record("admitted") })
      try loop.add(listener, to: .default)
      let seen = Record<String>()
      let port = TextPort(try .connect(to: address)) { _, event in seen.note(event) }
      try loop.add(port, to: .default)
      loop.turn()
      loop.turn()
      #expect(refused.all == [.wrongPeer(RunLoop.PortPeer())])
      #expect(seen.all == ["closed: gone, 0 unsent"])
      #expect(throws: RunLoop.PortError.wrongPeer(RunLoop.PortPeer())) {
        _ = try RunLoop.PortEnd.connect(to: address, admitted: .init { _ in false })
      }
      listener.invalidate()
    }
  }

  @Test func `M30: only this user may open the socket's file, which goes with its listener`() throws {
    let folder = TemporaryFolder()
    let path = folder["own/socket"]
    let listener = try RunLoop.PeerListener(at: .path(path)) { _, _ in }
    #expect(FileKind(of: path) == FileKind.socket(0o600))
    #expect(FileKind(of: folder["own"]) == FileKind.folder(0o700))
    listener.invalidate()
    #expect(FileKind(of: path) == nil)
    #expect(FileKind(of: path + ".lock") == FileKind.file(0o600))
  }

  @Test func `M30: a file that is no socket is left alone`() throws {
    let folder = TemporaryFolder()
    folder.write("socket")
    let path = folder["socket"]
    #expect(throws: RunLoop.PortError.addressInUse(.path(path))) {
      try RunLoop.PeerListener(at: .path(path)) { _, _ in }
    }
    #expect(TemporaryFolder.text(of: path) != nil)
  }

  @Test func `M30: a folder in which others could put another socket is refused`() throws {
    let folder = TemporaryFolder()
    folder.makeFolder("open")
    folder.setMode("open", 0o777)
    #expect(throws: RunLoop.PortError.folderOpenToOthers(folder["open"])) {
      try RunLoop.PeerListener(at: .path(folder["open/socket"])) { _, _ in }
    }
    folder.setMode("open", 0o1777)
    _ = try RunLoop.PeerListener(at: .path(folder["open/socket"])) { _, _ in }
  }

  @Test func `M30: what can be no address, or leads nowhere, is a typed error`() throws {
    let long = String(repeating: "x", count: 108)
    for address in [RunLoop.PortAddress.path(""), .abstract(""), .abstract(long), .abstract("a\0b")] {
      #expect(throws: RunLoop.PortError.badAddress(address)) {
        try RunLoop.PeerListener(at: address) { _, _ in }
      }
    }
    let nowhere = Self.abstract("nowhere")
    #expect(throws: RunLoop.PortError.nobodyListens(nowhere)) { _ = try RunLoop.PortEnd.connect(to: nowhere) }
    let taken = Self.abstract("taken")
    let first = try RunLoop.PeerListener(at: taken) { _, _ in }
    #expect(throws: RunLoop.PortError.addressInUse(taken)) { try RunLoop.PeerListener(at: taken) { _, _ in } }
    first.invalidate()
    _ = try RunLoop.PeerListener(at: taken) { _, _ in }
  }

  @Test func `M30: a path that is too long is an error before anything is made on the way to it`() throws {
    let folder = TemporaryFolder()
    let address = RunLoop.PortAddress.path(folder["new/" + String(repeating: "x", count: 108)])
    #expect(throws: RunLoop.PortError.badAddress(address)) {
      try RunLoop.PeerListener(at: address) { _, _ in }
    }
    #expect(FileKind(of: folder["new"]) == nil)
  }

  @Test func `M30: something else under the name of the lock is left alone`() throws {
    let folder = TemporaryFolder()
    folder.write("foreign")
    folder.makeFolder("folder.lock")
    folder.linkSymbolically("foreign", as: "link.lock")
    for name in ["folder", "link"] {
      let address = RunLoop.PortAddress.path(folder[name])
      #expect(throws: RunLoop.PortError.addressInUse(address)) {
        try RunLoop.PeerListener(at: address) { _, _ in }
      }
    }
  }

  @Test
  func `M30: a listener without a descriptor left says so, rests, and lets in who waits when there is one`()
    async
  {
    await #expect(processExitsWith: .success) { try Self.runShortOfDescriptors() }
  }

  private static func runShortOfDescriptors() throws {
    let folder = TemporaryFolder()
    let address = RunLoop.PortAddress.path(folder["socket"])
    let seen = Record<String>()
    let listener = try RunLoop.PeerListener(at: address) { _, error in
      if case .noDescriptorLeft = error { seen.add("none left") }
      allowDescriptors(below: 1000)
    } handler: { listener, _ in
      seen.add("let in")
      listener.invalidate()
    }
    let loop = RunLoop.current
    try loop.add(listener, to: .default)
    // Opens what the loop needs itself.
    loop.turn()
    let caller = try RunLoop.PortEnd.connect(to: address)
    let next = dup(0)
    close(next)
    allowDescriptors(below: next)
    loop.run()
    #expect(seen.all == ["none left", "let in"])
    _ = consume caller
  }

  private static func allowDescriptors(below number: CInt) {
    var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: 1000)
    // SAFETY: reads one `rlimit`, which outlives the call.
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  @Test func `M30: a descriptor of another kind is no port`() throws {
    let pipe = Pipe()
    for number in [pipe.readEnd, pipe.writeEnd] {
      #expect(throws: RunLoop.PortError.self) {
        _ = try RunLoop.PortEnd.adopt(.init(duplicating: number))
      }
    }
  }
}
