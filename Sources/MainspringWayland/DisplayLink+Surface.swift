public import Mainspring

extension RunLoop.DisplayLink {
  /// A link that follows the frames of a Wayland surface, by its frame callbacks.
  ///
  /// ```swift
  /// import MainspringWayland
  ///
  /// func follow(_ surface: OpaquePointer, of display: OpaquePointer) throws {
  ///   let link = try RunLoop.DisplayLink(onSurface: surface, of: display) { _, tick in
  ///     // … draw what is to be seen at tick.targetTimestamp, and commit
  ///   }
  ///   RunLoop.current.add(link, to: .common)
  /// }
  /// ```
  ///
  /// The connection and the surface are the program's, made with libwayland-client, and stay its own: the link has a queue of
  /// its own on the connection, and reads from that as libwayland wants it where several do. ``WaylandEvents`` does so for the
  /// program's own listeners.
  ///
  /// To be told of a frame is a state of the surface, so that the link commits the surface when it asks: before the handler is
  /// called. What the program prepares on the surface, it commits in the same callout, at best in the link's handler.
  ///
  /// How many frames there are is first what the compositor says of its outputs, and measured from then on. A compositor numbers
  /// no frames: of those that the loop came too late for, as many are missed as fit between two dates.
  ///
  /// A surface that is not seen has no frames. After a quarter of a second without one the link goes on by a timer, at the rate
  /// that it had, until the compositor tells of one again. Where the connection is lost, `onFailure` is told, and the link goes
  /// on by the timer for good.
  ///
  /// Waits for the compositor's answers while it is made. Invalidate it before the surface is destroyed or the connection is
  /// ended, on the loop's thread or by `invalidateAndWait`.
  ///
  /// - Parameters:
  ///   - surface: a `wl_surface`.
  ///   - display: the `wl_display` that it is of.
  ///   - refreshRate: what is assumed before it was measured; nil is what the compositor says of its fastest output, and 60 if
  ///     it says nothing.
  ///   - range: at which rates the link may be called.
  ///   - handler: called on the loop's thread. Without one, the link is for its `ticks`.
  ///   - onFailure: called on the loop's thread, once, if the connection is lost. To end the link then, invalidate it there.
  /// - Throws: why the surface cannot be followed.
  public convenience init(
    onSurface surface: OpaquePointer, of display: OpaquePointer, refreshRate: Double? = nil,
    range: RunLoop.FrameRateRange = .everyFrame, file: StaticString = #fileID, line: UInt = #line,
    handler: (@Sendable (RunLoop.DisplayLink, RunLoop.DisplayTick) -> Void)? = nil,
    onFailure: (@Sendable (RunLoop.DisplayLink, WaylandError) -> Void)? = nil
  ) throws(WaylandError) {
    let assumed = refreshRate.map(Self.millihertz)
    let frames = try unsafe SurfaceFrames(of: surface, on: display)
    let millihertz = assumed ?? frames.millihertz ?? 60_000
    let origin = SurfaceOrigin(frames, millihertz: millihertz, file: file, line: line)
    self.init(
      origin: origin, millihertz: millihertz, range: range, site: CallSite(file, line),
      onFailure: { link, error in if let error = error as? WaylandError { onFailure?(link, error) } },
      handler: handler)
    origin.link = self
  }
}
