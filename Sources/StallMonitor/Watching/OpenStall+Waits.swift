/// What is learned of the other threads while one stalls.
extension OpenStall {
  /// Notes whom a thread waits for that sleeps, and whether that is a deadlock.
  mutating func noteWaits(of thread: Int32, at now: UInt64, with reader: WaitReader) {
    let chain = WaitChain(from: thread, with: reader)
    guard !chain.links.isEmpty else { return }
    self.chain = chain
    if let circle = deadlockWatch.note(chain, at: now) { deadlock = circle }
  }

  /// Whether it is time to take all threads: the stall has come into the next of `bands`.
  func isBandDue(_ length: UInt64, _ bands: [UInt64]) -> Bool {
    bandsTaken < bands.count && length >= bands[bandsTaken]
  }

  /// Takes all threads; keeps them only if `isCurrent` still holds afterwards.
  mutating func takeProcess(
    stalled: Int32, with sampler: ProcessSampler, length: UInt64, _ bands: [UInt64], isCurrent: () -> Bool
  ) {
    bandsTaken = bands.prefix { $0 <= length }.count
    let sample = sampler.sample(
      stalled: stalled, known: samples.last?.stack, concerned: chain?.concerned ?? [])
    guard isCurrent() else {
      noteDropped()
      return
    }
    process = sample
  }
}
