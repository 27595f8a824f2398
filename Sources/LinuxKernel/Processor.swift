import CLinuxKernel

/// What a thread that waits without sleeping asks of the processor and about it.
package enum Processor {
  /// On how many processors the calling thread may run. A system call.
  package static var usableCount: Int { Int(ms_usable_processors()) }

  /// Lets the other half of the core, and the memory, go on for a moment: some ten nanoseconds.
  package static func pause() { ms_spin_pause() }
}
