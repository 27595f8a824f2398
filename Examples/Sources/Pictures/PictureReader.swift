import CPictures

/// Reads a picture in steps and makes it smaller on the way, for who has other things to do in between.
///
/// A step is a piece of the file, or a row of the picture or less: some tens of microseconds, even of a photograph. No more
/// of the picture is in memory than its file and what comes out. One thread at a time.
public final class PictureReader {
  private let side: Int
  private let file: FilePieces
  private var rows: PictureRows?

  /// Begins to read the picture in the file at `path`, JPEG or PNG; what is transparent lies on white.
  ///
  /// - Parameter side: what comes out has a longer side of at least so many pixels and less than twice as many; a smaller
  ///   picture stays as it is.
  /// - Throws: ``FileError``.
  public init(contentsOf path: String, longerSide side: Int) throws(FileError) {
    precondition(side > 0, "nothing fits into \(side) pixels")
    self.side = side
    file = try FilePieces(path)
  }

  /// Goes one step on; the picture comes with the last.
  ///
  /// - Throws: ``FileError``, or ``PictureError`` where the picture is damaged; then there is nothing more to be had.
  public func step() throws -> Picture? {
    if let rows { return try rows.step() }
    if try file.readPiece() { rows = try PictureRows(file, longerSide: side) }
    return nil
  }
}

/// The rows of a picture whose file is in memory.
@safe private final class PictureRows {
  private let file: FilePieces
  private let rows: OpaquePointer
  private let target: PictureSize
  private let factor: Int
  private var row: [UInt8]
  private var sums: [UInt32]
  private var rowsInSums = 0
  private var pixels: [UInt8] = []

  init(_ file: FilePieces, longerSide side: Int) throws(PictureError) {
    guard let format = PictureFormat(file.beginning) else { throw .unknownFormat }
    var message = Message()
    var (width, height): (UInt32, UInt32) = (0, 0)
    // SAFETY: the file's bytes live as long as this object, which keeps them.
    guard
      let rows = unsafe ms_rows_open(
        file.bytes.baseAddress, file.bytes.count, format == .jpeg, UInt32(side), &width, &height,
        &message.characters)
    else { throw .refused(message.text) }
    self.file = file
    unsafe self.rows = rows
    let size = PictureSize(width: Int(width), height: Int(height))
    // What is very narrow is not made nothing.
    factor = max(1, min(size.longerSide / side, size.width, size.height))
    target = PictureSize(width: size.width / factor, height: size.height / factor)
    row = [UInt8](repeating: 0, count: 3 * size.width)
    sums = [UInt32](repeating: 0, count: 3 * target.width)
    pixels.reserveCapacity(target.byteCount)
  }

  // SAFETY: the reader is ours, and nobody has it any more.
  deinit { unsafe ms_rows_close(rows) }

  func step() throws(PictureError) -> Picture? {
    var message = Message()
    // SAFETY: the row is as long as it is said to be; the call writes within it.
    let result = unsafe ms_rows_next(rows, &row, row.count, &message.characters)
    guard result >= 0 else { throw .refused(message.text) }
    if result == 1 { addRow() }
    return pixels.count == target.byteCount ? Picture(size: target, pixels: pixels) : nil
  }

  private func addRow() {
    // SAFETY: a row has `width` pixels, and there are as many sums as whole factors of them.
    unsafe ms_rows_add(row, UInt32(row.count / 3), UInt32(factor), &sums)
    rowsInSums += 1
    guard rowsInSums == factor else { return }
    let area = UInt32(factor * factor)
    pixels += sums.map { UInt8(($0 + area / 2) / area) }
    for index in sums.indices { sums[index] = 0 }
    rowsInSums = 0
  }
}
