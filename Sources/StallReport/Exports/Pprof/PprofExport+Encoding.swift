extension PprofExport {
  /// The bytes. The numbers of fields are those of pprof's profile.proto.
  func encoded() -> [UInt8] {
    // Strings come last, as the fields before may add to them.
    var tables = tables
    var pprof = ProtobufWriter()
    for (type, unit) in [("samples", "count"), ("wall", "nanoseconds")] {
      let names = (tables.index(of: type), tables.index(of: unit))
      pprof.message(1) { $0.valueType(names.0, names.1) }
    }
    for (sample, value) in zip(samples, values) {
      pprof.message(2) { $0.sample(sample.locations, value, labels: sample.labels) }
    }
    for (index, mapping) in tables.mappings.enumerated() {
      pprof.message(3) { $0.mapping(mapping, id: UInt64(index + 1)) }
    }
    for (index, location) in tables.locations.enumerated() {
      pprof.message(4) { $0.location(location, id: UInt64(index + 1)) }
    }
    for (index, function) in tables.functions.enumerated() {
      pprof.message(5) { $0.function(function, id: UInt64(index + 1)) }
    }
    let comments = comments.map { tables.index(of: $0) }
    let (wall, nanoseconds) = (tables.index(of: "wall"), tables.index(of: "nanoseconds"))
    for string in tables.strings { pprof.field(6, string) }
    pprof.field(9, start?.nanoseconds ?? 0)
    pprof.field(10, length.nanosecondsClamped)
    pprof.message(11) { $0.valueType(wall, nanoseconds) }
    pprof.field(13, packed: comments)
    pprof.field(14, wall)
    return pprof.bytes
  }
}

extension ProtobufWriter {
  fileprivate mutating func valueType(_ type: UInt64, _ unit: UInt64) {
    field(1, type)
    field(2, unit)
  }

  fileprivate mutating func sample(
    _ locations: [UInt64], _ value: (count: Int64, time: Duration), labels: [UInt64]
  ) {
    field(1, packed: locations)
    field(2, packed: [UInt64(value.count), UInt64(value.time.nanosecondsClamped)])
    for label in stride(from: 0, to: labels.count, by: 2) {
      message(3) { $0.valueType(labels[label], labels[label + 1]) }
    }
  }

  fileprivate mutating func mapping(_ mapping: PprofTables.Mapping, id: UInt64) {
    field(1, id)
    field(2, mapping.start)
    field(3, mapping.limit)
    field(5, mapping.key.file)
    field(6, mapping.key.buildID)
    // Whoever finds a mapping without functions looks for the file, and for each name in it.
    for number in 7...10 { field(number, mapping.areAllNamed ? UInt64(1) : 0) }
  }

  fileprivate mutating func location(_ location: PprofTables.Location, id: UInt64) {
    field(1, id)
    field(2, location.mapping)
    field(3, location.address)
    for line in location.lines {
      message(4) { writer in
        writer.field(1, line.function)
        writer.field(2, line.line)
      }
    }
  }

  fileprivate mutating func function(_ function: PprofTables.Function, id: UInt64) {
    field(1, id)
    field(2, function.name)
    field(3, function.systemName)
    field(4, function.file)
  }
}
