import Pictures

/// What a careless programmer would write: pictures, decoded whole, in the callout of a key.
enum Careless {
  static func loadAll(_ files: [PictureFile]) -> Int {
    var count = 0
    for file in files {
      guard let picture = try? Picture(contentsOf: file.path) else { continue }
      count += picture.size.pixelCount > 0 ? 1 : 0
    }
    return count
  }
}
