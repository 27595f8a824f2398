import Foundation
import Pictures
import Testing

@Suite struct `A picture that is read in steps` {
  private func read(_ path: String, longerSide side: Int) throws -> (picture: Picture, steps: Int) {
    let reader = try PictureReader(contentsOf: path, longerSide: side)
    var steps = 1
    while true {
      if let picture = try reader.step() { return (picture, steps) }
      steps += 1
    }
  }

  private func read(_ bytes: [UInt8], longerSide side: Int) throws -> (picture: Picture, steps: Int) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID())")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try read(file.path, longerSide: side)
  }

  /// Columns of grey, each a little lighter.
  private let picture: Picture = {
    let row: [UInt8] = (0..<64).flatMap { column in [UInt8](repeating: UInt8(4 * column), count: 3) }
    return Picture(size: PictureSize(width: 64, height: 48), pixels: (0..<48).flatMap { _ in row })
  }()

  @Test func `is the one that is read at once, where it is not made smaller`() throws {
    let bytes = try picture.jpeg()
    let (read, steps) = try read(bytes, longerSide: 64)
    #expect(read == (try Picture(decoding: bytes)))
    #expect(steps >= 48)
  }

  @Test(arguments: [(1, 1), (3, 5), (24, 17)])
  func `is whole where it comes in passes`(width: Int, height: Int) throws {
    let rows = (0..<height).map { row in (0..<3 * width).map { UInt8((7 * row + $0) % 256) } }
    let file = PlainPNG(width: width, height: height, bits: 8, color: .rgb, rows: rows, isInterlaced: true)
    #expect(try Picture(decoding: file.bytes).pixels == rows.flatMap(\.self))
    #expect(try read(file.bytes, longerSide: 24).picture.pixels == rows.flatMap(\.self))
  }

  @Test func `is made smaller by whole factors`() throws {
    let bytes = try picture.jpeg()
    let (read, _) = try read(bytes, longerSide: 20)
    #expect(read.size == PictureSize(width: 32, height: 24))
  }

  @Test func `is an error where the file is damaged, and no less than in one go`() throws {
    let bytes = try picture.jpeg()
    let half = Array(bytes.prefix(bytes.count / 2))
    #expect(throws: PictureError.self) { try read(half, longerSide: 64) }
    #expect(throws: PictureError.unknownFormat) { try read([1, 2, 3], longerSide: 64) }
    #expect(throws: FileError.self) { try read("/nowhere", longerSide: 64) }
  }

  @Test(arguments: [
    "/usr/share/backgrounds/mate/nature/FreshFlower.jpg",
    "/usr/share/backgrounds/mate/nature/Garden.jpg",
    "/usr/share/backgrounds/mate/desktop/Ubuntu-Mate-Cold-no-logo.png",
    "/usr/share/icons/oxygen/base/128x128/apps/accessories-calculator.png",
  ])
  func `looks as the one that is read in one go`(path: String) throws {
    let whole = try Picture(contentsOf: path).scaled(toFit: 8)
    let (read, _) = try read(path, longerSide: 96)
    #expect(read.size.longerSide < 192)
    let scaled = read.scaled(toFit: 8)
    #expect(scaled.size == whole.size)
    let differences = zip(scaled.pixels, whole.pixels).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 255 < 24)
  }

  @Test(arguments: [0, 1], 1...10)
  func `never crashes where the file is damaged`(format: Int, seed: UInt64) throws {
    let file = try `Hostile files`.files()[format]
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[.random(in: 3..<file.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if let (picture, _) = try? read(damaged, longerSide: 8) {
        #expect(picture.pixels.count == picture.size.byteCount)
      }
    }
  }
}
