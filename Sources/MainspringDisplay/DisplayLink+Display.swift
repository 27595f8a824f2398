public import Mainspring

extension RunLoop.DisplayLink {
  /// A link that follows the frames of an X server's display.
  ///
  /// ```swift
  /// import MainspringDisplay
  ///
  /// let draw: @Sendable (RunLoop.DisplayLink, RunLoop.DisplayTick) -> Void = { _, tick in
  ///   // … draw what is to be seen at tick.targetTimestamp
  /// }
  /// let link: RunLoop.DisplayLink
  /// do throws(DisplayError) {
  ///   link = try RunLoop.DisplayLink(onDisplay: nil, handler: draw)
  /// } catch {
  ///   link = RunLoop.DisplayLink(handler: draw)  // a timer of 60 frames a second
  /// }
  /// RunLoop.current.add(link, to: .common)
  /// ```
  ///
  /// The link has a connection of its own, and asks the server for one frame at a time. Of a frame that it heard of too
  /// late it asks which is shown now. How many frames the display shows is asked of the server (its extension RANDR: the output
  /// that shows most of the window), and measured from the first frames on; anew when outputs come, go or change.
  ///
  /// Where the display goes, the window or the server, `onFailure` is told why, and the link goes on by a timer, at the
  /// same rate and with the frame numbers going on.
  ///
  /// Waits for the server's answers while it is made.
  ///
  /// - Parameters:
  ///   - name: as in DISPLAY; nil is what that says.
  ///   - window: the frames of the screen that it is on; nil is the root window.
  ///   - refreshRate: what is assumed before it was measured; nil is what the server says, and 60 if it does not.
  ///   - range: at which rates the link may be called.
  ///   - handler: called on the loop's thread. Without one, the link is for its `ticks`.
  ///   - onFailure: called on the loop's thread, once, if the display goes. To end the link then, invalidate it there.
  /// - Throws: why the display cannot be followed.
  public convenience init(
    onDisplay name: String?, window: UInt32? = nil, refreshRate: Double? = nil,
    range: RunLoop.FrameRateRange = .everyFrame, file: StaticString = #fileID, line: UInt = #line,
    handler: (@Sendable (RunLoop.DisplayLink, RunLoop.DisplayTick) -> Void)? = nil,
    onFailure: (@Sendable (RunLoop.DisplayLink, DisplayError) -> Void)? = nil
  ) throws(DisplayError) {
    let assumed = refreshRate.map(Self.millihertz)
    let connection = try DisplayConnection(to: name, window: window)
    let millihertz = assumed ?? connection.millihertz ?? 60_000
    let origin = PresentOrigin(connection, millihertz: millihertz, file: file, line: line)
    self.init(
      origin: origin, millihertz: millihertz, range: range, site: CallSite(file, line),
      onFailure: { link, error in if let error = error as? DisplayError { onFailure?(link, error) } },
      handler: handler)
    origin.link = self
  }
}
