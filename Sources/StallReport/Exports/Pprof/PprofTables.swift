/// The tables of a pprof profile, each entry once: strings, functions, mappings, locations. Numbers begin at 1, but those of
/// the strings at 0, which is the empty one.
struct PprofTables {
  struct Function: Hashable {
    var name: UInt64
    var systemName: UInt64
    var file: UInt64
  }

  /// An image, wherever it was mapped: each run of a program has it elsewhere.
  struct MappingKey: Hashable {
    var file: UInt64
    var buildID: UInt64
  }

  struct Mapping {
    var key: MappingKey
    var start: UInt64
    var limit: UInt64
    var areAllNamed = true
  }

  struct Line: Hashable {
    var function: UInt64
    var line: Int64
  }

  struct Location: Hashable {
    var mapping: UInt64
    var address: UInt64
    /// The innermost first.
    var lines: [Line]
  }

  private(set) var strings: [String] = [""]
  private(set) var functions: [Function] = []
  private(set) var mappings: [Mapping] = []
  private(set) var locations: [Location] = []
  private var indexOfString: [String: UInt64] = ["": 0]
  private var idOfFunction: [Function: UInt64] = [:]
  private var idOfMapping: [MappingKey: UInt64] = [:]
  private var idOfLocation: [Location: UInt64] = [:]

  mutating func index(of string: String) -> UInt64 {
    if let known = indexOfString[string] { return known }
    strings.append(string)
    indexOfString[string] = UInt64(strings.count - 1)
    return UInt64(strings.count - 1)
  }

  mutating func id(of function: Function) -> UInt64 {
    if let known = idOfFunction[function] { return known }
    functions.append(function)
    idOfFunction[function] = UInt64(functions.count)
    return UInt64(functions.count)
  }

  mutating func id(of location: Location) -> UInt64 {
    if let known = idOfLocation[location] { return known }
    locations.append(location)
    idOfLocation[location] = UInt64(locations.count)
    return UInt64(locations.count)
  }

  /// The number of the image's mapping. It lies where the first report had it; longer than there it may be elsewhere.
  mutating func id(of image: Report.Image) -> UInt64 {
    let key = MappingKey(file: index(of: image.name.exported), buildID: index(of: image.buildID ?? ""))
    let length = image.end > image.base ? image.end - image.base : 0
    guard let known = idOfMapping[key] else {
      return add(Mapping(key: key, start: image.base, limit: image.base &+ length))
    }
    let start = mappings[Int(known) - 1].start
    mappings[Int(known) - 1].limit = max(mappings[Int(known) - 1].limit, start &+ length)
    return known
  }

  /// The mapping of what lies in no image: some readers insist on one.
  mutating func idOfNowhere() -> UInt64 {
    let key = MappingKey(file: index(of: "[unknown]"), buildID: 0)
    return idOfMapping[key] ?? add(Mapping(key: key, start: 0, limit: 0))
  }

  private mutating func add(_ mapping: Mapping) -> UInt64 {
    mappings.append(mapping)
    idOfMapping[mapping.key] = UInt64(mappings.count)
    return UInt64(mappings.count)
  }

  /// Notes that a function of the mapping has no name, which readers may then look up themselves.
  mutating func noteNameless(inMapping id: UInt64) { mappings[Int(id) - 1].areAllNamed = false }
}
