extension RunLoop {
  /// The readiness of a descriptor, for a task that reads or writes it. Any thread.
  ///
  /// ```swift
  /// import Glibc
  ///
  /// func copy(from input: CInt, on loop: RunLoop) async throws {
  ///   for await ready in try loop.readiness(of: input, for: .read) where ready.contains(.read) {
  ///     var bytes = [UInt8](repeating: 0, count: 4096)
  ///     let count = unsafe read(input, &bytes, bytes.count)
  ///     if count <= 0 { break }
  ///     print("read \(count) bytes")
  ///   }
  /// }
  /// ```
  ///
  /// Told once; then the descriptor rests until the task asks for the next, by when it has read or written. What is still to be
  /// read then is told again. So nothing is told in vain, and a loop whose task is busy does not spin.
  ///
  /// - Parameters:
  ///   - descriptor: stays the caller's, who closes it after the stream has ended; in non-blocking mode, for readiness is as of
  ///     the loop's look.
  ///   - interest: of `.read`, `.write` and `.priority`. Errors and hang-ups are told besides, once.
  ///   - mode: where the loop has to run for it to look.
  /// - Throws: as ``add(_:to:)-(RunLoop.DescriptorSource,_)``.
  public func readiness(
    of descriptor: CInt, for interest: Readiness = .read, in mode: Mode = .common,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(DescriptorError) -> EventStream<Readiness> {
    let (tap, stream) = EventTap<Readiness>.make(room: 1)
    let source = DescriptorSource(descriptor, interest: interest, file: file, line: line) { _, ready in
      tap.put(ready)
    }
    tap.serve(source)
    try add(source, to: mode)
    return stream
  }
}
