extension Report {
  /// The images, frames and stacks of a report, each once; stacks refer to frames, frames to images.
  public struct StackTable: Sendable, Equatable {
    /// The images.
    public var images: [Image] = []
    /// The frames, each once.
    public private(set) var frames: [Frame] = []
    /// The stacks, each once: indices of frames, leaf first.
    public private(set) var stacks: [[Int]] = []

    private var indexOfFrame: [Frame: Int] = [:]
    private var indexOfStack: [[Int]: Int] = [:]

    /// A table without entries.
    public init() {}

    /// A table as it was written. Of equal entries, which another writer may have left, the first one is found again.
    package init(images: [Image], frames: [Frame], stacks: [[Int]]) {
      precondition(stacks.allSatisfy { $0.allSatisfy(frames.indices.contains) }, "a stack of unknown frames")
      self.images = images
      self.frames = frames
      self.stacks = stacks
      indexOfFrame = Dictionary(zip(frames, frames.indices)) { first, _ in first }
      indexOfStack = Dictionary(zip(stacks, stacks.indices)) { first, _ in first }
    }

    /// The index of `frame`, which is added if it is new.
    ///
    /// - Complexity: O(1) on average.
    public mutating func index(of frame: Frame) -> Int {
      if let known = indexOfFrame[frame] { return known }
      frames.append(frame)
      indexOfFrame[frame] = frames.count - 1
      return frames.count - 1
    }

    /// The index of the stack of these frames, leaf first, which is added if it is new.
    ///
    /// - Complexity: O(*n*) in the number of frames, on average.
    public mutating func index(ofStack stack: some Sequence<Frame>) -> Int {
      let frames = stack.map { index(of: $0) }
      if let known = indexOfStack[frames] { return known }
      stacks.append(frames)
      indexOfStack[frames] = stacks.count - 1
      return stacks.count - 1
    }

    func encodeMembers(to json: inout JSONWriter) {
      json.member("images") { json in
        json.rows(images.indices.map { index in Row { images[index].encode(index: index, to: &$0) } })
      }
      json.member("frames") { json in
        json.rows(frames.indices.map { index in Row { frames[index].encode(index: index, to: &$0) } })
      }
      json.member("stacks") { json in
        json.rows(stacks.map { stack in stack.map(Frame.identifier) })
      }
    }

    /// A row that knows its own index.
    private struct Row: JSONEncodable {
      let write: (inout JSONWriter) -> Void
      func encode(to json: inout JSONWriter) { write(&json) }
    }
  }
}
