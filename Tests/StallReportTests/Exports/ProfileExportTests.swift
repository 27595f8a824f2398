import Foundation
import StallReport
import Testing

@Suite struct `Exports for profilers` {
  private let calls = ["main", "RunLoop.run(in:)", "callOut", "MailStore.reindex()"]

  @Test func `collapsed stacks are added up, root first, behind program, loop and issue`() {
    let text = String(decoding: ExportFormat.collapsed.encode([.full(), .full()]), as: UTF8.self)
    let labels = "maild;loop main;MailStore.reindex() in timer callback, busy;"
    let root = labels + calls.joined(separator: ";")
    #expect(
      text == """
        \(root);MailStore.tokenize(_:);memmove 436
        \(root);MailStore.tokenize(_:) 1364
        \(root) 1600

        """)
  }

  @Test func `no name can end a frame or a line of collapsed stacks`() throws {
    var report = Report.bare()
    report.loop.name = "a;b\nc 12"
    report.addSample(["!f;g\r\u{2028}", "!;\u{301}", "@timer"], weight: .milliseconds(7))
    let lines = CollapsedText(ExportFormat.collapsed.encode([report])).lines
    #expect(lines.count == 1)
    #expect(lines.first?.frames.dropFirst(3) == ["timer", ":\u{301}", "f:g\u{FFFD}\u{FFFD}"])
    #expect(lines.first?.frames[1] == "loop a:b\u{FFFD}c 12")
    #expect(lines.first?.weight == 7)
  }

  @Test func `speedscope has a profile a report and thread, with the order of the samples`() throws {
    let file = try object(.speedscope, [.full(), .deadlocked()])
    let frames = try #require((file["shared"] as? [String: Any])?["frames"] as? [[String: Any]])
    let profiles = try #require(file["profiles"] as? [[String: Any]])
    #expect(profiles.map { $0["unit"] as? String } == ["milliseconds", "milliseconds", "none"])
    #expect(profiles.map { ($0["samples"] as? [Any])?.count } == [6, 1, 1])
    #expect(profiles[0]["weights"] as? [Int] == [104, 50, 114, 632, 600, 200])
    #expect(profiles[0]["endValue"] as? Int == 1712)
    let first = try #require((profiles[0]["samples"] as? [[Int]])?.first)
    #expect(
      first.map { frames[$0]["name"] as? String } == calls + ["MailStore.tokenize(_:)", "memmove"])
    #expect(frames[first[3]]["line"] as? Int == 88)
    #expect((profiles[0]["name"] as? String)?.contains("MailStore.reindex()") == true)
  }

  @Test func `pprof has the time and number of each stack, with labels`() throws {
    let pprof = try ReadPprof(ExportFormat.pprof.encode([.full(), .full()]))
    let samples = try pprof.samples()
    #expect(samples.map(\.values) == [[4, 436_000_000], [4, 1_364_000_000], [4, 1_600_000_000]])
    #expect(samples[0].names == ["memmove", "MailStore.tokenize(_:)"] + calls.reversed())
    #expect(samples[0].labels["loop"] == "main")
    #expect(samples[0].labels["class"] == "busy")
    #expect(samples[0].labels["culprit"] == "MailStore.reindex()")
    #expect(try pprof.profile.messages(1).map { pprof.strings[Int($0.number(1))] } == ["samples", "wall"])
    #expect(pprof.strings[Int(pprof.profile.number(14))] == "wall")
    #expect(pprof.profile.number(10) == 3_424_000_000)
    let mappings = try pprof.profile.messages(3)
    #expect(mappings.map { pprof.strings[Int($0.number(6))] } == ["93ac", "0a1b"])
  }

  @Test func `pprof has an inlined function at the instruction of its caller`() throws {
    let pprof = try ReadPprof(ExportFormat.pprof.encode([.full()]))
    let lines = try pprof.profile.messages(4).map { try $0.messages(4).count }
    #expect(lines.filter { $0 == 2 }.count == 1, "tokenize is inlined into reindex")
  }

  @Test func `pprof knows an image again wherever it was loaded`() throws {
    var moved = Report.full()
    for index in moved.stacks.images.indices {
      moved.stacks.images[index].base += 0x1000
      moved.stacks.images[index].end += 0x1000
    }
    let pprof = try ReadPprof(ExportFormat.pprof.encode([.full(), moved]))
    #expect(try pprof.samples().count == 3)
    #expect(try pprof.profile.messages(3).count == 2)
  }

  @Test func `a Firefox profile has weights, categories, lines and libraries`() throws {
    let file = try object(.firefox, [.full(), .deadlocked()])
    let threads = try #require(file["threads"] as? [[String: Any]])
    #expect(
      threads.map { $0["name"] as? String } == [
        "maild 4121, stalled", "db-writer 4130", "maild 4121, stalled", "db-writer 4130",
      ])
    #expect(threads.map { $0["pid"] as? String } == ["1", "1", "2", "2"])
    let thread = ReadFirefoxThread(threads[0])
    #expect(thread.names(ofSample: 0) == calls + ["MailStore.tokenize(_:)", "memmove"])
    #expect(thread.column("samples", "weight") as? [Int] == [104, 50, 114, 632, 600, 200, 0])
    #expect(thread.column("samples", "time") as? [Int] == [430, 534, 584, 698, 1330, 1930, 2130])
    #expect(thread.stack(ofSample: 6) == nil, "the last one only ends the one before")
    let libs = try #require(file["libs"] as? [[String: Any]])
    #expect(libs.map { $0["codeId"] as? String } == ["93ac", "0a1b"])
    let markers = try #require(threads[0]["markers"] as? [String: Any])
    #expect(
      (markers["data"] as? [[String: Any]])?.map { $0["type"] as? String } == ["Pass", "Note", "Stall"])
    let meta = try #require(file["meta"] as? [String: Any])
    #expect(meta["startTime"] as? Int == 1_790_086_400_123 - 430)
  }
}

/// Lines of collapsed stacks, read back.
struct CollapsedText {
  var lines: [(frames: [String], weight: Int)] = []

  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let space = line.lastIndex(of: " "), let weight = Int(line[line.index(after: space)...]) else {
        Issue.record("\(line)")
        continue
      }
      lines.append(
        (line[..<space].split(separator: ";", omittingEmptySubsequences: false).map(String.init), weight))
    }
  }

  var weight: Int { lines.map(\.weight).reduce(0, +) }
}

/// A thread of a Firefox profile, read back.
struct ReadFirefoxThread {
  let thread: [String: Any]

  init(_ thread: [String: Any]) { self.thread = thread }

  func column(_ table: String, _ name: String) -> [Any] {
    (thread[table] as? [String: Any])?[name] as? [Any] ?? []
  }

  func stack(ofSample sample: Int) -> Int? { column("samples", "stack")[sample] as? Int }

  /// The names of a sample's functions, root first.
  func names(ofSample sample: Int) -> [String] {
    let strings = thread["stringArray"] as? [String] ?? []
    var names: [String] = []
    var next = stack(ofSample: sample)
    while let stack = next {
      let frame = column("stackTable", "frame")[stack] as? Int ?? -1
      let function = column("frameTable", "func")[frame] as? Int ?? -1
      names.append(strings[column("funcTable", "name")[function] as? Int ?? -1])
      next = column("stackTable", "prefix")[stack] as? Int
    }
    return names.reversed()
  }
}
