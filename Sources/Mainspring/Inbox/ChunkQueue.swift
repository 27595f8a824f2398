/// Elements in the order of appending, in chunks of memory that are filled at the end and emptied from the front, by
/// moving.
///
/// No element is moved for the others' sake. A buffer that grows as a whole touches twice the memory that a burst needs,
/// and what the kernel has to give page by page costs more than the queueing. Emptied chunks are filled again, some of
/// them, and given back beyond.
@safe struct ChunkQueue<Element: ~Copyable>: ~Copyable {
  // SAFETY: the chunks from `first` to `last` are linked by `next`. The cells from `headCell` to the end of the first
  // chunk, all of the chunks between, and those up to `tailCell` in the last are initialized, others are not. Only the
  // methods below move the bounds.

  /// How many elements there are.
  private(set) var count = 0
  private var tailCell: UnsafeMutablePointer<Element>?
  private var tailEnd: UnsafeMutablePointer<Element>?
  private var headCell: UnsafeMutablePointer<Element>?
  private var headEnd: UnsafeMutablePointer<Element>?
  private var first: Link?
  private var last: Link?
  /// Emptied chunks of the largest size.
  private var spare: Link?
  private var spareCount = 0
  /// How many elements there is memory for.
  private(set) var capacity = 0

  /// The start of a chunk; the cells follow.
  @unsafe private struct Chunk {
    var next: Link?
    let capacity: Int
  }
  private typealias Link = UnsafeMutablePointer<Chunk>

  init() { precondition(MemoryLayout<Element>.alignment <= Self.headerSize) }

  deinit {
    if let first = unsafe first, let last = unsafe last {
      var chunk = unsafe first
      var from = unsafe headCell.unsafelyUnwrapped
      while unsafe chunk != last {
        unsafe from.deinitialize(count: Self.end(of: chunk) - from)
        let next = unsafe chunk.pointee.next.unsafelyUnwrapped
        unsafe chunk.deallocate()
        unsafe chunk = unsafe next
        unsafe from = Self.cells(of: chunk)
      }
      unsafe from.deinitialize(count: tailCell.unsafelyUnwrapped - from)
      unsafe chunk.deallocate()
    }
    var emptied = unsafe spare
    while let chunk = unsafe emptied {
      unsafe emptied = unsafe chunk.pointee.next
      unsafe chunk.deallocate()
    }
  }

  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if unsafe tailCell == tailEnd { addChunk() }
    let cell = unsafe tailCell.unsafelyUnwrapped
    unsafe cell.initialize(to: element)
    unsafe tailCell = unsafe cell + 1
    count &+= 1
  }

  @inline(__always)
  mutating func removeFirst() -> Element {
    let cell = unsafe firstPlace()
    unsafe headCell = unsafe cell + 1
    count &-= 1
    let element = unsafe cell.move()
    if count == 0 { rewind() }
    return element
  }

  /// Where the first element stands, until the queue is changed. There has to be one.
  @inline(__always)
  @unsafe mutating func firstPlace() -> UnsafeMutablePointer<Element> {
    precondition(count > 0, "nothing is left")
    if unsafe headCell == headEnd { dropFirstChunk() }
    return unsafe headCell.unsafelyUnwrapped
  }

  /// Nothing is left, and so there is one chunk, to be filled from its start.
  @inline(__always)
  private mutating func rewind() {
    let cells = unsafe Self.cells(of: last.unsafelyUnwrapped)
    unsafe headCell = unsafe cells
    unsafe tailCell = unsafe cells
  }

  @inline(never)
  private mutating func dropFirstChunk() {
    let chunk = unsafe first.unsafelyUnwrapped
    let next = unsafe chunk.pointee.next.unsafelyUnwrapped
    unsafe first = unsafe next
    unsafe headCell = unsafe Self.cells(of: next)
    unsafe headEnd = unsafe Self.end(of: next)
    if unsafe chunk.pointee.capacity == Self.largest, spareCount < Self.sparesKept {
      unsafe chunk.pointee.next = unsafe spare
      unsafe spare = unsafe chunk
      spareCount += 1
    } else {
      unsafe capacity -= chunk.pointee.capacity
      unsafe chunk.deallocate()
    }
  }

  @inline(never)
  private mutating func addChunk() {
    let chunk = unsafe takeSpare() ?? makeChunk()
    unsafe chunk.pointee.next = nil
    unsafe tailCell = unsafe Self.cells(of: chunk)
    unsafe tailEnd = unsafe Self.end(of: chunk)
    if let last = unsafe last {
      unsafe last.pointee.next = unsafe chunk
    } else {
      unsafe first = unsafe chunk
      unsafe headCell = unsafe tailCell
      unsafe headEnd = unsafe tailEnd
    }
    unsafe last = unsafe chunk
  }

  private mutating func takeSpare() -> Link? {
    guard let chunk = unsafe spare else { return nil }
    unsafe spare = unsafe chunk.pointee.next
    spareCount -= 1
    return unsafe chunk
  }

  private mutating func makeChunk() -> Link {
    let size = unsafe min(Self.largest, last.map { unsafe $0.pointee.capacity * 4 } ?? Self.smallest)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.headerSize + size * MemoryLayout<Element>.stride, alignment: Self.headerSize)
    let chunk = unsafe memory.bindMemory(to: Chunk.self, capacity: 1)
    unsafe chunk.initialize(to: Chunk(next: nil, capacity: size))
    capacity += size
    return unsafe chunk
  }

  @inline(__always)
  private static func cells(of chunk: Link) -> UnsafeMutablePointer<Element> {
    unsafe UnsafeMutableRawPointer(chunk + 1).assumingMemoryBound(to: Element.self)
  }

  @inline(__always)
  private static func end(of chunk: Link) -> UnsafeMutablePointer<Element> {
    unsafe cells(of: chunk) + chunk.pointee.capacity
  }

  /// What a chunk starts with, and a multiple of the elements' alignment.
  private static var headerSize: Int { unsafe MemoryLayout<Chunk>.size }

  /// A queue that is hardly used is small; a chunk of a large one is some fifty KiB.
  private static var smallest: Int { 16 }
  private static var largest: Int { 1024 }
  /// So many emptied chunks are kept.
  private static var sparesKept: Int { 3 }
}
