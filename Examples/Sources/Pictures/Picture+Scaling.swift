extension Picture {
  /// The picture scaled down to fit into a square of `side` pixels; itself if it fits already.
  ///
  /// A box filter: each new pixel is the mean of the area it covers, edges in proportion, exact in whole
  /// numbers and rounded once. Work for a thread: about a millisecond for each megapixel when optimised.
  /// - Complexity: O(pixels of the old picture).
  public func scaled(toFit side: Int) -> Picture {
    let target = size.fitted(to: side)
    guard target != size else { return self }
    var scaled: [UInt8] = []
    scaled.reserveCapacity(target.byteCount)
    for row in 0..<target.height {
      let sums = columnSums(ofRow: row, of: target.height)
      appendMeans(of: sums, width: target.width, to: &scaled)
    }
    return Picture(size: target, pixels: scaled)
  }

  /// The sum of each column of bytes over the height of one new row, in units of 1/`newHeight` old row.
  ///
  /// In these units the sum's weight is the old height, whatever the row, and all weights are whole.
  private func columnSums(ofRow row: Int, of newHeight: Int) -> [UInt64] {
    let (start, end) = (row * size.height, (row + 1) * size.height)
    let rows = start / newHeight...(end - 1) / newHeight
    var sums = [UInt64](repeating: 0, count: 3 * size.width)
    func add(_ oldRow: Int) {
      let weight = min(end, (oldRow + 1) * newHeight) - max(start, oldRow * newHeight)
      for (column, byte) in pixels[byteRange(ofRow: oldRow)].enumerated() {
        sums[column] += UInt64(byte) * UInt64(weight)
      }
    }
    add(rows.lowerBound)
    if rows.count > 2 { addWhole(rows.dropFirst().dropLast(), weight: newHeight, to: &sums) }
    if rows.count > 1 { add(rows.upperBound) }
    return sums
  }

  /// Adds rows that lie wholly in the new row: nearly all of the work, so only additions of 32 bits, of which
  /// the compiler makes several at a time. They cannot overflow: 255 times the longest side is below 2^32.
  private func addWhole(_ rows: ClosedRange<Int>.SubSequence, weight: Int, to sums: inout [UInt64]) {
    var plain = [UInt32](repeating: 0, count: sums.count)
    for row in rows { Self.add(pixels.span.extracting(byteRange(ofRow: row)), to: &plain) }
    for column in sums.indices { sums[column] += UInt64(plain[column]) * UInt64(weight) }
  }

  private static func add(_ bytes: Span<UInt8>, to sums: inout [UInt32]) {
    var sums = sums.mutableSpan
    precondition(bytes.count == sums.count, "\(bytes.count) bytes do not suit \(sums.count) columns")
    for column in bytes.indices { sums[column] &+= UInt32(bytes[column]) }
  }

  private func byteRange(ofRow row: Int) -> Range<Int> {
    3 * size.width * row..<3 * size.width * (row + 1)
  }

  /// Appends one new row: the means of the columns' sums over the width of each new pixel.
  private func appendMeans(of sums: [UInt64], width newWidth: Int, to scaled: inout [UInt8]) {
    let area = UInt64(size.pixelCount)
    for column in 0..<newWidth {
      let (start, end) = (column * size.width, (column + 1) * size.width)
      var (red, green, blue) = (area / 2, area / 2, area / 2)
      for old in start / newWidth...(end - 1) / newWidth {
        let weight = UInt64(min(end, (old + 1) * newWidth) - max(start, old * newWidth))
        red += sums[3 * old] * weight
        green += sums[3 * old + 1] * weight
        blue += sums[3 * old + 2] * weight
      }
      scaled.append(UInt8(red / area))
      scaled.append(UInt8(green / area))
      scaled.append(UInt8(blue / area))
    }
  }
}
