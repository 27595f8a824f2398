import Glibc
import Mainspring
import Testing

private typealias FileChanges = RunLoop.FileChanges
private typealias SourceError = RunLoop.SourceError

@Suite struct FileChangesTests {
  private let folder = TemporaryFolder()

  private static func show(_ change: FileChanges.Change) -> String {
    "\(change.kind)\(change.isFolder ? " folder" : "")\(change.name.map { " " + $0 } ?? "")"
  }

  @Test func `M31: what happens in a folder wakes the loop and is told in order, with names`() {
    let (seen, told) = (Record<String>(), Gate())
    let path = folder.path
    let host = LoopHost { loop in
      let source = try FileChanges(path) { source, changes in
        for change in changes {
          #expect(change.path == path)
          seen.add(Self.show(change))
          if change.kind == .deleted { told.open() }
        }
      }
      #expect(source.paths == [path])
      #expect(source.debugDescription.contains("file changes made at MainspringTests/FileChangesTests.swift"))
      try loop.add(source, to: .common)
    }
    folder.makeFolder("sub")
    folder.write("file")
    folder.setMode("file", 0o600)
    folder.remove("file")
    told.pass()
    host.end()
    #expect(
      seen.all == [
        "created folder sub", "created file", "modified file", "closedAfterWriting file", "attributes file",
        "deleted file",
      ])
  }

  @Test func `M31: only what was asked for is told, and the two halves of a move have a number in common`()
    throws
  {
    try CountingPoller.withLoop { loop, _ in
      let changes = Record<FileChanges.Change>()
      folder.makeFolder("in")
      folder.makeFolder("out")
      let source = try FileChanges(folder["in"], for: .moved) { _, told in
        for change in told { changes.add(change) }
      }
      try source.watch(folder["out"], for: .movedTo)
      try loop.add(source, to: .default)
      folder.write("in/a")
      folder.move("in/a", to: "in/b")
      folder.move("in/b", to: "out/c")
      folder.move("out/c", to: "in/d")
      loop.turn()
      #expect(
        changes.all.map(Self.show) == ["movedFrom a", "movedTo b", "movedFrom b", "movedTo c", "movedTo d"])
      #expect(changes.all.map(\.path) == ["in", "in", "in", "out", "in"].map { folder[$0] })
      let moves = changes.all.map(\.move)
      #expect(moves[0] != nil && moves[0] == moves[1] && moves[2] == moves[3])
      #expect(Set(moves).count == 3 && !moves.contains(nil))
    }
  }

  @Test func `M31: a watched file tells of itself, and of the end of its watch`() throws {
    try CountingPoller.withLoop { loop, _ in
      let seen = Record<String>()
      folder.write("file")
      let source = try FileChanges(folder["file"], for: [.modified, .selfMoved, .selfDeleted]) { _, told in
        for change in told { seen.add(Self.show(change)) }
      }
      try loop.add(source, to: .default)
      folder.move("file", to: "other")
      folder.write("other")
      folder.remove("other")
      loop.turn()
      #expect(seen.all.first == "selfMoved")
      #expect(seen.all.suffix(2) == ["selfDeleted", "watchEnded"])
      #expect(Set(seen.all.dropFirst().dropLast(2)) == ["modified"])
      #expect(source.paths.isEmpty && source.isValid)
      #expect(!loop.turn().handledSource)
    }
  }

  @Test func `M31: an overflow of the kernel's queue is a change of its own`() throws {
    try CountingPoller.withLoop { loop, _ in
      let kinds = Record<FileChanges.Kind>()
      let source = try FileChanges(folder.path, for: .attributes) { _, told in
        for change in told {
          if change.kind == .overflow { #expect(change.path.isEmpty && change.name == nil) }
          kinds.add(change.kind)
        }
      }
      try loop.add(source, to: .default)
      for name in ["a", "b"] { folder.write(name) }
      // Two in turn, for equal ones are merged.
      for _ in 0..<(Self.queueLimit / 2 + 10) {
        for name in ["a", "b"] { folder.setMode(name, 0o600) }
      }
      while loop.turn().handledSource {}
      let all = kinds.all
      #expect(all.last == .overflow)
      #expect(all.count { $0 == .overflow } == 1)
      #expect(all.count == Self.queueLimit + 1)
    }
  }

  /// How many changes the kernel keeps.
  private static let queueLimit: Int = {
    TemporaryFolder.text(of: "/proc/sys/fs/inotify/max_queued_events").flatMap { Int($0.dropLast()) } ?? 16384
  }()

  @Test func `M31: two paths to one file are told for each, with the events of each`() throws {
    try CountingPoller.withLoop { loop, _ in
      let seen = Record<String>()
      folder.write("one")
      folder.link("one", as: "two")
      let source = try FileChanges(folder["one"], for: [.attributes, .closedAfterWriting]) { _, told in
        for change in told { seen.add("\(change.path.last!) \(change.kind)") }
      }
      try source.watch(folder["two"], for: .attributes)
      try loop.add(source, to: .default)
      #expect(source.paths == [folder["one"], folder["two"]])
      folder.setMode("one", 0o600)
      folder.write("two")
      loop.turn()
      #expect(seen.all == ["e attributes", "o attributes", "e closedAfterWriting"])
      seen.clear()
      #expect(source.unwatch(folder["one"]))
      folder.setMode("one", 0o644)
      loop.turn()
      #expect(seen.all == ["o attributes"])
      #expect(source.unwatch(folder["two"]))
      #expect(!source.unwatch(folder["two"]))
      folder.setMode("one", 0o600)
      #expect(!loop.turn().handledSource)
    }
  }

  @Test func `M31: a path that is watched again is watched for what stands there now`() throws {
    try CountingPoller.withLoop { loop, _ in
      let seen = Record<String>()
      for name in ["file", "new"] { folder.write(name) }
      let source = try FileChanges(folder["file"], for: .attributes) { _, told in
        for change in told { seen.add("\(change.kind)") }
      }
      try loop.add(source, to: .default)
      // The old file lives on under another name.
      folder.link("file", as: "old")
      folder.move("new", to: "file")
      loop.turn()
      seen.clear()
      try source.watch(folder["file"], for: .closedAfterWriting)
      folder.setMode("old", 0o600)
      folder.setMode("file", 0o600)
      folder.write("file")
      loop.turn()
      #expect(seen.all == ["closedAfterWriting"])
      #expect(source.paths == [folder["file"]])
    }
  }

  @Test func `M31: names are bytes and need not be text`() throws {
    try CountingPoller.withLoop { loop, _ in
      let changes = Record<FileChanges.Change>()
      let source = try FileChanges(folder.path, for: .created) { _, told in
        for change in told { changes.add(change) }
      }
      try loop.add(source, to: .default)
      let name: [UInt8] = [0x61, 0xFF, 0x0A, 0xC3]
      folder.write(bytes: name)
      folder.write(String(repeating: "n", count: 255))
      loop.turn()
      #expect(changes.all.first?.nameBytes == name)
      #expect(changes.all.first?.name == "a\u{FFFD}\n\u{FFFD}")
      #expect(changes.all.last?.nameBytes.count == 255)
    }
  }

  @Test func `M31: a link stands for what it leads to, or for itself where that is asked for`() throws {
    try CountingPoller.withLoop { loop, _ in
      let seen = Record<String>()
      folder.write("file")
      folder.linkSymbolically("file", as: "link")
      folder.linkSymbolically("link", as: "far")
      let source = try FileChanges(folder["link"], for: [.attributes, .selfMoved]) { _, told in
        for change in told { seen.add("\(change.path.suffix(4)) \(change.kind)") }
      }
      try source.watch(folder["far"], for: [.attributes, .selfMoved], followsLinks: false)
      try loop.add(source, to: .default)
      folder.setMode("file", 0o600)
      folder.move("far", to: "near")
      loop.turn()
      #expect(seen.all == ["link attributes", "/far selfMoved"])
    }
  }

  @Test func `M31: a path that leads nowhere is a typed error, and leaves the source as it was`() throws {
    #expect(throws: SourceError.noSuchPath(folder["none"])) { try FileChanges(folder["none"]) { _, _ in } }
    folder.write("file")
    let source = try FileChanges(folder["file"]) { _, _ in }
    let circle = folder["circle"]
    folder.linkSymbolically("circle", as: "circle")
    for path in [folder["none"], folder["file/none"], "", circle, folder["file\0"]] {
      #expect(throws: SourceError.noSuchPath(path)) { try source.watch(path) }
    }
    let long = folder[String(repeating: "n", count: 256)]
    #expect(throws: SourceError.refused(errno: ENAMETOOLONG)) { try source.watch(long) }
    #expect(source.paths == [folder["file"]])
    source.invalidate()
    #expect(throws: SourceError.invalidated) { try source.watch(folder.path) }
    #expect(source.paths.isEmpty && !source.unwatch(folder["file"]))
  }

  @Test func `M31: watching for nothing traps`() async {
    await #expect(processExitsWith: .failure) { _ = try FileChanges("/", for: []) { _, _ in } }
  }

  @Test func `M31: a path that another thread adds is watched while the loop sleeps`() throws {
    let (told, source) = (Gate(), Box<FileChanges>())
    let host = LoopHost { loop in
      let made = try FileChanges { _, changes in
        if changes.contains(where: { $0.kind == .created }) { told.open() }
      }
      source.value = made
      try loop.add(made, to: .default)
    }
    try source.value!.watch(folder.path, for: .names)
    folder.write("file")
    told.pass()
    host.end()
    #expect(!source.value!.isValid, "it went with its loop")
  }
}
