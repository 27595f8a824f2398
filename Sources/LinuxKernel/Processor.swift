import CLinuxKernel

/// What a thread that waits without sleeping asks of the processor and about it.
package enum Processor {
  /// On how many processors the calling thread may run. A system call.
  package static var usableCount: Int { Int(ms_usable_processors()) }

  /// The number of the one that the calling thread runs on, or just ran on. No system call.
  package static var current: UInt32 { UInt32(truncatingIfNeeded: sched_getcpu()) }

  /// Lets the other half of the core, and the memory, go on for a moment: some ten nanoseconds.
  package static func pause() { ms_spin_pause() }
}
