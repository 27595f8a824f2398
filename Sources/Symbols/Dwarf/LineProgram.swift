/// A place in the source that an address belongs to, from its own address to the next row's.
struct LineRow {
  let address: UInt64
  let file: UInt32
  let line: UInt32
  let column: UInt32
}

/// Runs a line table's program; makes rows in sequences of rising addresses.
struct LineProgram {
  /// A stretch of code whose rows follow each other.
  struct Sequence {
    let code: Range<UInt64>
    let rows: Range<Int>
  }

  private static let rowCountMax = 1 << 22

  private let header: LineTableHeader
  private(set) var rows: [LineRow] = []
  private(set) var sequences: [Sequence] = []
  private var firstRow = 0
  private var isAscending = true
  private var address: UInt64 = 0
  private var file: UInt64 = 1
  private var line: Int64 = 1
  private var column: UInt64 = 0

  init(_ header: LineTableHeader, _ bytes: [UInt8]) {
    self.header = header
    var reader = ByteReader(bytes, in: header.program)
    rows.reserveCapacity(min(reader.remaining / 3, Self.rowCountMax))
    while !reader.isAtEnd, rows.count < Self.rowCountMax {
      guard (try? step(&reader)) != nil else { break }
    }
    sequences.sort { $0.code.lowerBound < $1.code.lowerBound }
  }

  private mutating func step(_ reader: inout ByteReader) throws(MalformedData) {
    let opcode = try reader.byte()
    if opcode >= header.opcodeBase {
      let adjusted = UInt64(opcode - header.opcodeBase)
      address &+= adjusted / header.lineRange &* header.minimumInstructionLength
      line &+= header.lineBase + Int64(adjusted % header.lineRange)
      return addRow()
    }
    switch opcode {
    case 0: try stepExtended(&reader)
    case 1: addRow()
    case 2: address &+= (try reader.uleb()) &* header.minimumInstructionLength
    case 3: line &+= try reader.sleb()
    case 4: file = try reader.uleb()
    case 5: column = try reader.uleb()
    case 6, 7, 10, 11: break
    case 8:
      address &+= UInt64(255 - header.opcodeBase) / header.lineRange &* header.minimumInstructionLength
    case 9: address &+= UInt64(try reader.read(UInt16.self))
    case 12: _ = try reader.uleb()
    default: for _ in 0..<header.operandCounts[Int(opcode) - 1] { _ = try reader.uleb() }
    }
  }

  private mutating func stepExtended(_ reader: inout ByteReader) throws(MalformedData) {
    let length = try reader.uleb()
    guard length > 0 else { throw MalformedData(at: reader.offset) }
    var operation = try reader.part(length)
    switch try operation.byte() {
    case 1: endSequence()
    case 2: address = try operation.unsigned(bytes: min(8, operation.remaining))
    default: break
    }
  }

  private mutating func addRow() {
    if rows.count > firstRow, address < rows[rows.count - 1].address { isAscending = false }
    rows.append(
      LineRow(
        address: address, file: UInt32(clamping: file), line: UInt32(clamping: line),
        column: UInt32(clamping: column)))
  }

  private mutating func endSequence() {
    if !isAscending { rows[firstRow...].sort { $0.address < $1.address } }
    // Code that the linker dropped keeps its rows, from address zero on.
    if firstRow < rows.count, rows[firstRow].address != 0, rows[firstRow].address < address {
      sequences.append(Sequence(code: rows[firstRow].address..<address, rows: firstRow..<rows.count))
    } else {
      rows.removeSubrange(firstRow...)
    }
    firstRow = rows.count
    isAscending = true
    address = 0
    file = 1
    line = 1
    column = 0
  }
}
