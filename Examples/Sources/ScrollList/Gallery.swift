import Glibc
import Pictures

/// The pictures that the list shows, in order.
struct Gallery {
  let files: [PictureFile]

  /// Of the icon theme Oxygen the sizes that are worth a look.
  static let icons = ["256x256", "128x128", "64x64"].map { "/usr/share/icons/oxygen/base/" + $0 }
  static let photographs = "/usr/share/backgrounds/mate"

  /// Every so many icons there is a photograph: most pictures of a list are small, and some are large. There are fewer
  /// of them than would be needed, and so they come again.
  private static let iconsPerPhotograph = 11

  /// The pictures of a folder; nil are those of Debian's packages oxygen-icon-theme and mate-backgrounds.
  init(_ folder: String?) throws(FileError) {
    if let folder {
      files = try PictureFolder(folder).files
      return
    }
    var icons: [PictureFile] = []
    for folder in Self.icons { icons += try PictureFolder(folder).files.filter { !Self.isLink($0.path) } }
    // The others are transparent, and would look like cells that are empty.
    let photographs = try PictureFolder(Self.photographs).files.filter {
      $0.format == .jpeg || $0.name.hasPrefix("desktop/")
    }
    files = Self.mix(Self.scattered(icons), photographs)
  }

  /// Links lead to pictures that are there already.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    // SAFETY: the path is a text that ends in zero; the call writes one stat.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Away from those of their folder and size, each time in the same way.
  private static func scattered(_ files: [PictureFile]) -> [PictureFile] {
    // No number of files that there may be is a multiple of so large a prime.
    files.indices.map { files[$0 * 99_991 % files.count] }
  }

  private static func mix(_ icons: [PictureFile], _ photographs: [PictureFile]) -> [PictureFile] {
    guard !photographs.isEmpty else { return icons }
    var mixed: [PictureFile] = []
    for (index, icon) in icons.enumerated() {
      let (number, rest) = index.quotientAndRemainder(dividingBy: iconsPerPhotograph)
      if rest == 5 { mixed.append(photographs[number * 7 % photographs.count]) }
      mixed.append(icon)
    }
    return mixed
  }

  /// What stands below a picture: the file's name without folders and suffix.
  func title(of index: Int) -> String {
    let name = files[index].name.split(separator: "/").last ?? ""
    let title = name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    // A name that is a domain read backwards says most at its end.
    return String(title.hasPrefix("org.") ? title.split(separator: ".").last ?? title : title)
  }

  /// Whether a picture takes its time, so that others had better go first.
  func isLarge(_ index: Int) -> Bool { files[index].size.pixelCount > 500_000 }

  /// The largest pictures, each once.
  func largest(_ count: Int) -> [PictureFile] {
    var seen: Set<String> = []
    return Array(
      files.sorted { $0.size.pixelCount > $1.size.pixelCount }.filter { seen.insert($0.path).inserted }
        .prefix(count))
  }
}
