/// The libraries of a profile, each once, however many processes had it.
struct FirefoxLibraries {
  private struct Key: Hashable {
    var name: String
    var buildID: String?
  }

  private(set) var images: [Report.Image] = []
  private var indexOfKey: [Key: Int] = [:]

  mutating func index(of image: Report.Image) -> Int {
    let key = Key(name: image.name, buildID: image.buildID)
    if let known = indexOfKey[key] { return known }
    images.append(image)
    indexOfKey[key] = images.count - 1
    return images.count - 1
  }

  static func write(_ json: inout JSONWriter, _ image: Report.Image) {
    let name = image.name.split(separator: "/").last.map { String($0).exported } ?? "[unknown]"
    let debug = image.buildID.flatMap(DebugIdentifier.init)
    json.object { json in
      json.member("arch", "")
      json.member("name", name)
      json.member("path", image.name.exported)
      json.member("debugName", name)
      json.member("debugPath", image.name.exported)
      json.member("breakpadId", debug?.breakpad ?? "")
      json.member("codeId", image.buildID?.exported)
    }
  }
}
