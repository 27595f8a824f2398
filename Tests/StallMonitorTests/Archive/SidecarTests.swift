import LinuxKernel
import MainspringTesting
import StallReport
import Testing

@testable import StallMonitor

@Suite struct SidecarTests {
  private func stall(_ number: UInt64, end: UInt64? = nil) -> SidecarRecords.Stall {
    let id = Report.Identifier(high: number, low: number &* 31)
    return SidecarRecords.Stall(
      stem: ReportName(.sample(id: id, startUnix: .night(Int64(number % 1000))), .ongoing).stem, id: id,
      seen: number, end: end)
  }

  private func bytes(_ stalls: [SidecarRecords.Stall], hasEnded: Bool = false) -> [UInt8] {
    SidecarRecords.header(hasEnded: hasEnded) + SidecarRecords.body(stalls)
  }

  @Test func `what is written is read, and what stands below it is not`() {
    let stalls = [stall(1), stall(2, end: 7), stall(.max)]
    for hasEnded in [false, true] {
      let records = SidecarRecords(bytes(stalls, hasEnded: hasEnded) + bytes([stall(9)]))
      #expect(records == SidecarRecords(hasEnded: hasEnded, stalls: stalls))
    }
    #expect(SidecarRecords([]) == SidecarRecords())
  }

  @Test func `a byte that is wrong takes its line with it, and no other`() {
    let stalls = [stall(1), stall(2), stall(3)]
    let whole = bytes(stalls)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1
      let records = SidecarRecords(damaged)
      #expect(records.stalls.count >= 2 || index < SidecarRecords.headerCount)
      #expect(records.stalls.allSatisfy(stalls.contains), "byte \(index)")
      #expect(!records.hasEnded)
    }
  }

  @Test func `a file that ends too early says what it says`() {
    let stalls = [stall(1), stall(2)]
    let whole = bytes(stalls)
    for count in 1..<whole.count {
      let records = SidecarRecords(Array(whole[..<count]))
      #expect(records.isDamaged)
      #expect(records.stalls == Array(stalls.prefix(records.stalls.count)))
    }
  }

  @Test func `any bytes can be read`() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      var some = bytes([stall(1)])
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        some[.random(in: some.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = SidecarRecords(some)
    }
  }

  @Test func `a sidecar is its maker's while it is there, and everybody's once it is gone`() throws {
    let folder = try TemporaryFolder()
    let root = try OpenFolder(path: folder.path)
    var sidecar: Sidecar? = try Sidecar.make(in: root)
    try sidecar?.write([stall(1)])
    let found = try FoundSidecar.all(in: root)
    #expect(found.map(\.owner) == [.alive])
    #expect(found.first?.records.stalls == [stall(1)])
    EndOfProcess.remove(try #require(sidecar))
    sidecar = nil
    let later = try FoundSidecar.all(in: root)
    #expect(later.map(\.owner) == [.gone])
    // One looks after it at a time.
    let another = try FoundSidecar.all(in: root)
    #expect(another.map(\.owner) == [.alive])
    withExtendedLifetime(later) {}
  }

  @Test func `one that ends says so, and one that has nothing to say leaves nothing`() throws {
    let folder = try TemporaryFolder()
    let root = try OpenFolder(path: folder.path)
    let sidecar = try Sidecar.make(in: root)
    sidecar.noteEnd()
    #expect(SidecarRecords(try folder.bytes(of: SidecarName.of(sidecar.token))).hasEnded)
    let isThere = sidecar.isThere(in: root)
    #expect(isThere)
    sidecar.remove(from: root)
    #expect(folder.files.isEmpty)
  }
}
