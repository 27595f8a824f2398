import LinuxKernel
import Synchronization

extension RunLoop {
  /// A file in which loops write down what they do, for Perfetto (ui.perfetto.dev) and chrome://tracing.
  ///
  /// Each loop is a track. On it lie its runs, in each of them its passes, in those the callouts, with the kind of the item and
  /// the file and line where it was made, and the sleep. A nested run lies in the callout that runs it.
  ///
  /// ```swift
  /// let trace = try RunLoop.Trace(at: "/tmp/loops.json")
  /// RunLoop.current.trace(to: trace)
  /// RunLoop.current.run(in: .default, for: .seconds(10), whenEmpty: .wait)
  /// try trace.close()
  /// ```
  ///
  /// A thread of the trace's own writes the file, ten times a second and whenever a loop's memory is half full. What a loop
  /// does while its memory is full is lost, and so is what comes while the disk is full or the file has reached its
  /// limit: it is counted, and the trace says where. A file that was not closed, because the process was killed, lacks its last tenth of
  /// a second and its last bracket; both viewers open it. A child made by `fork` has no part in it.
  public final class Trace: Sendable {
    private let core: TraceCore

    /// Makes the file, or empties the one that is there, and starts the thread that writes it.
    ///
    /// - Parameters:
    ///   - stepsKept: how many steps a loop has memory for, at some 64 bytes each. A callout is two steps.
    ///   - bytesMax: how large the file may become.
    /// - Precondition: at least 16 steps.
    public init(at path: String, stepsKept: Int = 1 << 15, bytesMax: Int = 512 << 20) throws(TraceError) {
      require(stepsKept >= 16, "a trace that keeps \(stepsKept) steps would lose nearly all")
      do throws(KernelError) {
        core = TraceCore(try .emptied(at: path), stepsKept: stepsKept, bytesMax: bytesMax)
        try core.start()
      } catch { throw TraceError(errno: error.number) }
    }

    deinit { core.requestClose() }

    /// How many steps of all loops are lost by now. Any thread; waits while the file is being written.
    public var lostCount: Int { core.lostCount }

    /// Takes nothing more, writes what there is, ends the file, and waits until that is done. Any thread; more often than once
    /// is once. The loops may be in the middle of anything.
    ///
    /// Without it the file is ended when nobody refers to the trace any more, and nobody waits for that.
    ///
    /// - Throws: why something could not be written, the first time.
    public func close() throws(TraceError) {
      if let error = core.close() { throw TraceError(errno: error.number) }
    }

    /// Nil once it is closed.
    func makeRecorder(for loop: RunLoop) -> TraceRecorder? { core.makeRecorder(ofMainLoop: loop.isMain) }

    /// Nothing is taken from the loops' memory meanwhile: for tests.
    package func withoutTaking(_ body: () -> Void) { core.withoutTaking(body) }

    /// Takes what is there, and writes it: for tests.
    package func takeNow() { core.takeNow() }
  }

  /// Why a trace cannot be made, or not be written.
  public struct TraceError: Error, Hashable, Sendable {
    /// The kernel's number.
    public let errno: CInt
  }
}

extension RunLoop.TraceError: CustomStringConvertible {
  /// What went wrong, in a few words.
  public var description: String { "the trace cannot be written: \(KernelError(self.errno))" }
}
