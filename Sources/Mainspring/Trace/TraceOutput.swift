import LinuxKernel
import Synchronization

/// The file of a trace, and the tracks of the loops in it.
///
/// It is an array of events, which a viewer also opens without its end: a process may be killed.
final class TraceOutput {
  private let file: OpenFile
  private let bytesMax: Int
  /// How many bytes of the file are whole events.
  private var length = 0
  private var tracks: [TraceTrack] = []
  private var threadsSeen: Set<CInt> = []
  private var tracksMade: CInt = 0
  /// Of tracks that are over.
  private var lostBefore = 0
  private var lastTime: UInt64 = 0
  private(set) var failure: KernelError?
  private let process = ThreadIdentity.processNumber
  private var json = TraceJSON()

  /// So many bytes are written at once.
  private static let batchSize = 256 << 10
  /// Left for the end of a file that has reached its limit.
  private static let bytesForEnd = 4096
  /// Above all numbers that Linux gives to threads: for a second loop of a thread's.
  private static let firstMadeUpThread: CInt = 1 << 22

  init(_ file: consuming OpenFile, bytesMax: Int) {
    self.file = file
    self.bytesMax = bytesMax
  }

  var lostCount: Int { tracks.reduce(lostBefore) { $0 + $1.lostCount } }

  func add(_ recorder: TraceRecorder) { tracks.append(TraceTrack(recorder)) }

  /// Writes what the loops have done until now.
  func takeAll() {
    for track in tracks {
      // Asked first: what is taken after it is the last.
      let isLast = track.recorder.hasEnded
      track.recorder.takeAll { step in
        name(track)
        track.accept(step, to: &json)
        lastTime = max(lastTime, step.time)
        if json.bytes.count >= Self.batchSize { flush() }
      }
      guard isLast else { continue }
      track.finish(to: &json)
      track.isOver = true
      // Its loop, traced anew, goes on where it was; and the kernel may give the number to another.
      threadsSeen.remove(track.thread)
    }
    flush()
    lostBefore += tracks.reduce(0) { $0 + ($1.isOver ? $1.lostCount : 0) }
    tracks.removeAll(where: \.isOver)
  }

  /// Ends the file; nothing is taken any more.
  func end() {
    for track in tracks {
      track.recorder.close()
      track.finish(to: &json)
    }
    flush(upTo: bytesMax)
    let lost = lostCount
    json.begin("i", "end of the trace", process: process, thread: process)
    json.member("s", "g")
    json.member("ts", microseconds: lastTime)
    json.arguments([("lost steps", .number(lost))])
    json.end()
    flush(upTo: .max)
    try? write(Array("\n]\n".utf8))
    // They refer to what refers to this.
    (lostBefore, tracks) = (lost, [])
  }

  /// Gives a track its number and its name: now it is known on which thread its loop is.
  private func name(_ track: TraceTrack) {
    guard !track.isNamed else { return }
    track.isNamed = true
    let thread = track.recorder.thread.load(ordering: .relaxed)
    if track.thread == 0 {
      tracksMade += 1
      let isFirst = thread != 0 && threadsSeen.insert(thread).inserted
      (track.process, track.thread) = (process, isFirst ? thread : Self.firstMadeUpThread + tracksMade)
    }
    let name = ThreadIdentity.name(ofThread: thread) + (track.recorder.isOfMainLoop ? ", main loop" : "")
    for (what, value) in [("process_name", ThreadIdentity.name(ofThread: process)), ("thread_name", name)] {
      json.begin("M", what, process: process, thread: track.thread)
      json.arguments([("name", .text(value))])
      json.end()
    }
  }

  /// Writes the events that are there. Where that fails they are lost, the file ends with the last whole one before
  /// them, and the next ones are tried anew: a disk may have room again.
  private func flush(upTo limit: Int? = nil) {
    guard !json.bytes.isEmpty else { return }
    let bytes = (length == 0 ? Array("[\n".utf8) : Array(",\n".utf8)) + json.bytes
    json.bytes.removeAll(keepingCapacity: true)
    do throws(KernelError) {
      guard length + bytes.count <= limit ?? (bytesMax - Self.bytesForEnd) else { throw .tooLarge }
      try write(bytes)
      for track in tracks { track.noteWritten() }
    } catch {
      if failure == nil { failure = error }
      try? file.truncate(to: length)
      for track in tracks { track.noteNotWritten() }
    }
  }

  private func write(_ bytes: [UInt8]) throws(KernelError) {
    try file.write(bytes, at: length)
    length += bytes.count
  }
}
