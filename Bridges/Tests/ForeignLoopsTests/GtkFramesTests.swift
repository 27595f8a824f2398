import Glibc
import Testing

/// The program that has GTK and the loop on one thread, under an X server that shows its screen to nobody.
@Suite struct GtkFramesTests {
  @Test
  func `M61, M62: GTK hosted by the loop, and hosting it, draws its frames, and no timer is slept over`()
    throws
  {
    let server = try Server()
    let text = try server.output(of: [
      "env", "GSK_RENDERER=cairo", "GDK_BACKEND=x11", "LIBGL_ALWAYS_SOFTWARE=1",
      "XDG_RUNTIME_DIR=" + server.folder,
      "xvfb-run", "-a", "-s", "-screen 0 320x240x24", try program(),
    ])
    print(text)
    let rows = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 7 }
    let found = rows.filter { ["Mainspring", "GTK"].contains($0[0]) }
    #expect(found.map { String($0[0]) } == ["Mainspring", "GTK"], "\(text)")
    for row in found {
      #expect(row[1] == "120")
      // Frames of a sixtieth of a second: in two seconds there are two hundred dates, kept or told as missed.
      let (fires, missed, sleptOver) = (Int(row[3]) ?? 0, Int(row[4]) ?? 0, Int(row[5]))
      #expect(fires > 0 && fires + missed >= 190)
      #expect(sleptOver == 0)
    }
  }

  private func program() throws -> String {
    var path = [CChar](repeating: 0, count: 4096)
    // SAFETY: not more bytes are written than the array has.
    let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
    try #require(count > 0)
    let own = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The tests' program, or the toolchain's that has loaded them; the build folder is told by the bundle's place then.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? own
    return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/GtkFrames"
  }
}
