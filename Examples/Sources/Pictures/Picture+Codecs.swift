import CPictures
import Glibc

extension Picture {
  /// How much of a picture is decoded.
  public enum Detail: Sendable, Equatable {
    /// All of it.
    case full
    /// As little as gives the longer side at least so many pixels: JPEG can be decoded at 1/2, 1/4 and 1/8,
    /// which is many times faster. PNG cannot.
    case atLeast(Int)
  }

  /// The picture that `bytes` hold, JPEG or PNG; what is transparent lies on white.
  ///
  /// Work for a thread: tens of milliseconds a megapixel. The bytes may be anything at all.
  /// - Throws: ``PictureError`` if they are no picture, or damaged, or more than 64 Mi pixels.
  public init(decoding bytes: [UInt8], detail: Detail = .full) throws(PictureError) {
    switch PictureFormat(bytes) {
    case .jpeg: try self.init(jpeg: bytes, denominator: Self.denominator(of: bytes, detail: detail))
    case .png: try self.init(png: bytes)
    case nil: throw .unknownFormat
    }
  }

  /// The picture as JPEG of a quality from 1 to 100.
  ///
  /// - Throws: ``PictureError`` if a side is longer than JPEG's 65 500 pixels, or without memory.
  public func jpeg(quality: Int = 85) throws(PictureError) -> [UInt8] {
    var message = Message()
    var bytes: UnsafeMutablePointer<UInt8>? = nil
    var count = 0
    // SAFETY: the pixels are as many as the size says and outlive the call.
    let result = unsafe ms_jpeg_encode(
      pixels, UInt32(size.width), UInt32(size.height), Int32(quality), &bytes, &count, &message.characters)
    guard result == 0 else { throw .refused(message.text) }
    // SAFETY: the codec answers `count` bytes, which are ours to free.
    defer { unsafe free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private init(jpeg bytes: [UInt8], denominator: UInt32) throws(PictureError) {
    let size = try PictureSize(jpeg: bytes, denominator: denominator)
    try self.init(size: size) { pixels, message in
      let capacity = pixels.count
      // SAFETY: the codec reads within `bytes` and writes within `pixels`, which outlive the call.
      return unsafe ms_jpeg_decode(bytes, bytes.count, denominator, &pixels, capacity, &message)
    }
  }

  private init(png bytes: [UInt8]) throws(PictureError) {
    try self.init(size: PictureSize(png: bytes)) { pixels, message in
      let capacity = pixels.count
      // SAFETY: the codec reads within `bytes` and writes within `pixels`, which outlive the call.
      return unsafe ms_png_decode(bytes, bytes.count, &pixels, capacity, &message)
    }
  }

  private init(
    size: PictureSize, decode: (inout [UInt8], inout [CChar]) -> CInt
  ) throws(PictureError) {
    var message = Message()
    var pixels = [UInt8](repeating: 0, count: size.byteCount)
    guard decode(&pixels, &message.characters) == 0 else { throw .refused(message.text) }
    self.init(size: size, pixels: pixels)
  }

  private static func denominator(of bytes: [UInt8], detail: Detail) throws(PictureError) -> UInt32 {
    guard case .atLeast(let side) = detail else { return 1 }
    let whole = try PictureSize(jpeg: bytes)
    return [8, 4, 2].first { whole.longerSide / Int($0) >= side } ?? 1
  }
}

extension PictureSize {
  /// The size of the picture that `bytes` hold, from its header alone; a beginning of the file may be enough.
  ///
  /// - Throws: ``PictureError`` if there is no whole header, or of more than 64 Mi pixels.
  public init(headerOf bytes: [UInt8]) throws(PictureError) {
    switch PictureFormat(bytes) {
    case .jpeg: try self.init(jpeg: bytes)
    case .png: try self.init(png: bytes)
    case nil: throw .unknownFormat
    }
  }

  fileprivate init(jpeg bytes: [UInt8], denominator: UInt32 = 1) throws(PictureError) {
    try self.init { width, height, message in
      // SAFETY: the codec reads within `bytes`, which outlive the call.
      unsafe ms_jpeg_size(bytes, bytes.count, denominator, &width, &height, &message)
    }
  }

  fileprivate init(png bytes: [UInt8]) throws(PictureError) {
    try self.init { width, height, message in
      // SAFETY: the codec reads within `bytes`, which outlive the call.
      unsafe ms_png_size(bytes, bytes.count, &width, &height, &message)
    }
  }

  private init(read: (inout UInt32, inout UInt32, inout [CChar]) -> CInt) throws(PictureError) {
    var message = Message()
    var (width, height): (UInt32, UInt32) = (0, 0)
    guard read(&width, &height, &message.characters) == 0 else { throw .refused(message.text) }
    guard width > 0, height > 0 else { throw .refused("the picture is empty") }
    self.init(width: Int(width), height: Int(height))
    guard longerSide <= Self.sideMax else { throw .refused("\(self) pixels are too long") }
  }
}

/// The room into which a codec writes what is wrong.
struct Message {
  var characters = [CChar](repeating: 0, count: Int(MS_MESSAGE_SIZE))

  var text: String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
