import LinuxKernel

extension RunLoop {
  /// A loop as the guest of another: complete behind one descriptor, which the host watches, level- or edge-triggered, and
  /// calls ``turn()`` when it is readable.
  ///
  /// The descriptor is readable exactly when the loop has work in its mode: blocks and messages, from whatever thread;
  /// wakes and stops; sources that were signalled on the loop's thread; descriptors that are ready; timers that are due, on
  /// all clocks; what a turn did not get to. The host needs to know no date and to ask nothing before it sleeps.
  ///
  /// The hosted loop is in one run, cut into turns: entry comes with the first turn and exit with the end;
  /// beforeWaiting is told where the loop gives the thread back to its host, and afterWaiting when it gets it again, so
  /// that both stand around the host's sleep. Callouts may run the loop, in any mode, and may run the host, which may let
  /// the loop have a turn within the turn. What is on the stack is a run in turns only: between two of them the loop has
  /// no current mode, and what the host calls may run the loop by itself.
  ///
  /// ```swift
  /// import Glibc
  /// import Mainspring
  ///
  /// let loop = RunLoop.current
  /// let guest = try loop.beHosted()
  /// loop.perform(in: .default) { print("called by the loop, on its host's time") }
  ///
  /// // The host, as small as it can be:
  /// var watched = pollfd(fd: guest.descriptor, events: Int16(POLLIN), revents: 0)
  /// while unsafe poll(&watched, 1, 10) > 0 { guest.turn() }
  /// guest.invalidate()
  /// ```
  ///
  /// A guest ends by ``invalidate()``, with its last reference, and with the loop's thread. The loop then runs itself again.
  ///
  /// Two things cost a turn that does nothing more than look: a timer that was put off or invalidated, and a block that a
  /// run of the loop's own, between two turns, has done already.
  ///
  /// Turns are taken on the loop's thread alone; the rest is for any thread.
  public final class Guest: Sendable {
    /// The loop that is hosted.
    public let loop: RunLoop
    /// The mode that it is hosted in.
    public let mode: Mode
    /// What the host watches for reading, and neither reads nor closes. It is closed with the guest's last reference; where that
    /// goes on another thread than the loop's, at the loop's next turn or run.
    public let descriptor: CInt
    private let hosting: Hosting

    /// What a turn came to.
    public enum TurnResult: Hashable, Sendable {
      /// Nothing is left: the descriptor is readable again when there is something.
      case idle
      /// There is more to do, and the host's turn: the descriptor is readable, and rings again for who waits for an edge.
      case more
      /// A stop met the loop. What it is to end is the host's to know: a loop that is given turns goes on.
      case stopped
      /// The guest has ended, in this turn or before.
      case over
    }

    fileprivate init(_ loop: RunLoop, _ hosting: Hosting) {
      self.loop = loop
      self.hosting = hosting
      mode = hosting.mode
      descriptor = hosting.set.number
    }

    deinit { invalidate() }

    /// Lets the loop do what there is to do, and returns where it would sleep. Only on the loop's thread.
    ///
    /// To be called whenever the descriptor is readable. A turn that goes on for more than 64 passes or 4 ms ends and says
    /// so: a flood of work does not keep the host from its own.
    ///
    /// - Complexity: some five system calls, besides what there is to do.
    @discardableResult
    public func turn() -> TurnResult {
      loop.requireOwnThread(to: "let have a turn")
      guard loop.hosting === hosting else { return .over }
      return loop.takeTurn(hosting)
    }

    /// Ends it: the loop runs itself again. Any thread; on the loop's own before this returns, or with the turn that is
    /// on, from others at the next turn or run of the loop.
    ///
    /// The host stops watching the descriptor before it lets go of the guest.
    public func invalidate() {
      if loop.isOnOwnThread {
        loop.endHosting(hosting)
      } else {
        loop.send(concerning: .all) { [hosting] in $0.endHosting(hosting) }
      }
    }
  }

  /// Makes the loop the guest of another loop of its thread, in a mode. Only on the loop's thread.
  ///
  /// The descriptor is readable at once: the first turn is to tell the loop where it is.
  ///
  /// - Throws: where the process or the kernel has no descriptor left for it.
  /// - Precondition: the loop has no host yet, and the mode is not `.common`.
  public func beHosted(in mode: Mode = .default) throws(DescriptorError) -> Guest {
    requireOwnThread(to: "host")
    require(mode != .common, "a loop cannot be hosted in .common: it stands for modes and is none")
    require(hasKernelClocks, "a loop on virtual time has no descriptor that a host could watch")
    if hasEnded { throw .loopEnded }
    if let hosting { trap("the loop is hosted already, in \(hosting.mode)") }
    do throws(KernelError) {
      let hosting = Hosting(mode: mode, set: try HostSet(bell: bell))
      hosting.set.ring()
      self.hosting = hosting
      return Guest(self, hosting)
    } catch {
      throw DescriptorError(error, of: -1)
    }
  }

  /// Whether the loop is the guest of another. Only on the loop's thread.
  public var isHosted: Bool {
    requireOwnThread(to: "ask the host of")
    return hosting != nil
  }
}
