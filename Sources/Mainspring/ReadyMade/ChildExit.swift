import LinuxKernel

extension RunLoop {
  /// The end of a process, told once, with how it ended.
  ///
  /// ```swift
  /// func tell(of pid: CInt, on loop: RunLoop) throws {
  ///   let exit = try RunLoop.ChildExit(process: pid) { _, ending in
  ///     switch ending {
  ///     case .exited(let code): print("exited with \(code)")
  ///     case .killed(let signal, _): print("killed by signal \(signal)")
  ///     case .reapedElsewhere, .notOurChild: print("ended")
  ///     }
  ///   }
  ///   try loop.add(exit, to: .default)
  /// }
  /// ```
  ///
  /// It waits for this process and no other: a number that is given to a new process meanwhile is not mistaken for it,
  /// as long as the source is made before the process is reaped. A child that has ended already is told at once. The child
  /// is reaped when its end is told, and not before; no other child is. No SIGCHLD is needed, and none is taken.
  ///
  /// The source is invalid from its handler's beginning on.
  public final class ChildExit: DescriptorSource, @unchecked Sendable {
    // Sendable: as `DescriptorSource`.
    /// The process's number.
    public let process: CInt
    /// Whether the process was a child of this one when the source was made: of others there is no status to be had.
    public let isChild: Bool

    /// How a process ended.
    public enum Ending: Hashable, Sendable {
      /// It returned from `main` or called `exit`.
      case exited(code: CInt)
      /// A signal ended it.
      case killed(signal: CInt, coreDumped: Bool)
      /// It was a child of this process, but somebody else asked first and was told how it ended: a `wait` of another
      /// part of the program, or the kernel, where SIGCHLD is ignored.
      case reapedElsewhere
      /// It ended; only its parent is told how.
      case notOurChild
    }

    /// A source that is told how a process ended.
    ///
    /// - Parameters:
    ///   - process: its number, as `posix_spawn` gave it. Traps unless it is above zero.
    ///   - reaps: whether a child that ended is reaped; otherwise somebody else has to, after the handler was called.
    ///   - order: smaller numbers are served first within what one look found ready.
    ///   - handler: called once, on the loop's thread.
    /// - Throws: `.noSuchProcess`, `.notAProcess`, `.noDescriptorLeft`, `.refused`.
    public convenience init(
      process: CInt, reaps: Bool = true, order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (ChildExit, Ending) -> Void
    ) throws(SourceError) {
      require(process > 0, "\(process) is no process's number")
      let watched: WatchedProcess
      do throws(KernelError) {
        watched = try WatchedProcess(process)
      } catch {
        throw SourceError(opening: process, error)
      }
      self.init(process, watched, reaps: reaps, order: order, site: CallSite(file, line), handler)
    }

    private init(
      _ process: CInt, _ watched: WatchedProcess, reaps: Bool, order: Int, site: CallSite,
      _ handler: @escaping @Sendable (ChildExit, Ending) -> Void
    ) {
      self.process = process
      isChild = watched.isChild
      super.init(owning: watched.number, order: order, site: site) { source in
        guard let source = source as? ChildExit, let ending = watched.ending(reaping: reaps) else {
          return false
        }
        // Before the handler, which may run the loop: the descriptor stays readable.
        source.invalidate()
        handler(source, ending)
        return true
      }
    }

    override var kindName: String { "child exit" }
    override var stateDescription: String { "process \(process)\(isChild ? "" : ", not a child")" }
  }
}

/// A process whose end is waited for.
private final class WatchedProcess: Sendable {
  private let descriptor: ProcessDescriptor
  let isChild: Bool
  var number: CInt { descriptor.number }

  init(_ process: CInt) throws(KernelError) {
    descriptor = try ProcessDescriptor(process)
    isChild = (try? descriptor.state(reaping: false)) != nil
  }

  /// How it ended; nil while it runs.
  func ending(reaping: Bool) -> RunLoop.ChildExit.Ending? {
    guard isChild else { return .notOurChild }
    do throws(KernelError) {
      switch try descriptor.state(reaping: reaping) {
      case .running: return nil
      case .exited(let code): return .exited(code: code)
      case .killed(let signal, let coreDumped): return .killed(signal: signal, coreDumped: coreDumped)
      }
    } catch {
      return .reapedElsewhere
    }
  }
}
