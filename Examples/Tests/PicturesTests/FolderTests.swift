import Foundation
import Pictures
import Testing

@Suite struct `Picture folders` {
  /// A folder of its own for one test, gone afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private func png(_ width: Int, _ height: Int) -> [UInt8] {
    let row = [UInt8](repeating: 100, count: width)
    return PlainPNG(
      width: width, height: height, bits: 8, color: .gray, rows: .init(repeating: row, count: height)
    ).bytes
  }

  @Test func `pictures are listed with the folders below, sorted, and the largest is known`() throws {
    try withFolder { folder in
      try write(png(4, 4), folder + "/b.PNG")
      try write(png(9, 8), folder + "/sub/deep/a.png")
      try write(Picture(decoding: png(8, 9)).jpeg(), folder + "/a.jpeg")
      try write([1, 2, 3], folder + "/notes.txt")
      try write([1, 2, 3], folder + "/broken.jpg")
      try write(png(50, 50), folder + "/.hidden.png")
      let pictures = try PictureFolder(folder)
      #expect(pictures.files.map(\.name) == ["a.jpeg", "b.PNG", "sub/deep/a.png"])
      #expect(pictures.files.map(\.format) == [.jpeg, .png, .png])
      #expect(pictures.largest?.name == "a.jpeg", "of equals the first")
      #expect(pictures.unreadable == ["broken.jpg": "neither JPEG nor PNG"])
    }
  }

  @Test func `a header far back in the file is found`() throws {
    try withFolder { folder in
      let picture = try Picture(decoding: png(5, 6)).jpeg()
      // Two comments of 60 kB between the first marker and the rest.
      let comment: [UInt8] = [0xFF, 0xFE, 0xEA, 0x60] + [UInt8](repeating: 32, count: 59_998)
      try write(Array(picture[..<2]) + comment + comment + picture[2...], folder + "/a.jpg")
      #expect(try PictureFolder(folder).files.map(\.size) == [PictureSize(width: 5, height: 6)])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `what is no regular file or has no proper name is told, and nothing waits for it`() throws {
    try withFolder { folder in
      let misnamed: [CChar] = Array(folder.utf8CString.dropLast()) + [47, -1, 46, 112, 110, 103, 0]
      // SAFETY: the paths end in zero and outlive the calls.
      unsafe close(open(misnamed, O_CREAT | O_WRONLY, 0o600))
      unsafe mkfifo(folder + "/pipe.jpg", 0o600)
      unsafe symlink("/dev/zero", folder + "/zero.png")
      let pictures = try PictureFolder(folder)
      #expect(pictures.files.isEmpty)
      #expect(pictures.unreadable["pipe.jpg"] == "cannot read '\(folder)/pipe.jpg': not a regular file")
      #expect(pictures.unreadable["zero.png"] == "cannot read '\(folder)/zero.png': not a regular file")
      #expect(pictures.unreadable["\u{FFFD}.png"] == "its name is not UTF-8")
    }
  }

  @Test func `where output cannot go is known before anything is made`() throws {
    try withFolder { folder in
      try OutputFolder.check(folder)
      try OutputFolder.check(folder + "/new/er//")
      try OutputFolder.check("new-folder-here")
      try write([1], folder + "/file")
      let error = #expect(throws: FileError.self) { try OutputFolder.check(folder + "/file/out") }
      #expect(error?.code == ENOTDIR)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func `a missing folder is named`() {
    let error = #expect(throws: FileError.self) { try PictureFolder("/nowhere/at/all") }
    #expect(error?.description == "cannot open '/nowhere/at/all': No such file or directory")
  }

  @Test func `a thumbnail is written whole under the file's name and leaves no draft`() throws {
    try withFolder { folder in
      try write(png(64, 32), folder + "/in/sub/a.png")
      let file = try #require(try PictureFolder(folder + "/in").files.first)
      for _ in 0..<2 {
        let thumbnail = try Thumbnail.make(of: file, in: folder + "/out", side: 16, detail: .full)
        #expect(thumbnail.path == folder + "/out/sub/a.png.jpg")
        #expect(try Picture(contentsOf: thumbnail.path).size == PictureSize(width: 16, height: 8))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out/sub") == ["a.png.jpg"])
    }
  }

  @Test func `a folder that cannot be made is an error`() throws {
    try withFolder { folder in
      try write([], folder + "/file")
      let picture = try Picture(decoding: png(2, 2))
      #expect(throws: FileError.self) { try picture.write(as: "a", in: folder + "/file/out") }
    }
  }
}
