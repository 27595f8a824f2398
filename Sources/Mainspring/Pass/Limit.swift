/// How much of each kind one pass serves; what is left makes the next pass busy.
///
/// The numbers bound how long a stop, a limit or another kind has to wait for a flood of one kind, and are
/// large enough that a pass's own cost is spread thin.
package enum Limit {
  /// Blocks and jobs in one drain.
  package static let blocksPerDrain = 4096
  /// A loop that ends runs the jobs that wait, and those that they queue, so many times over; then it says that they go on
  /// for ever.
  package static let roundsOfJobsAtEnd = 4096
  /// Timers in one pass.
  package static let timersPerPass = 4096
  /// Descriptors that one look at the kernel tells.
  package static let descriptorsPerPass = 256
  /// Messages of one port in one pass.
  package static let messagesPerPass = 4096
  /// Events that a queue reads from its descriptor before it delivers them.
  package static let eventsPerReading = 4096
  /// Marks of a batch that are done before the loop sleeps at most; each mark that such an update makes is another.
  package static let updatesPerBatch = 4096
  /// Marks that come while the marks before them are done are another round of the same batch, up to so many: two updates
  /// that mark each other would never end.
  package static let roundsPerBatch = 16
  /// How long idle work at most rests where a frame leaves it no time, before it asks again, ns.
  package static let restOfIdleWork: UInt64 = 4_000_000
  /// After it has rested for so long, one task is done all the same, ns: ten a second, whatever the frames leave.
  package static let longestRestOfIdleWork: UInt64 = 100_000_000
  /// Where a limit, a timer, a descriptor or an observer waits, one kind's turn in a pass is over after this time, ns,
  /// whatever its number.
  package static let timePerTurn: UInt64 = 4_000_000
  /// So many callouts of a turn are made however long they take.
  package static let calloutsWhateverTheTime = 16
  /// A turn that a host lets the loop have ends after so many passes, or when it has lasted `timePerTurn`.
  package static let passesPerHostedTurn = 64
  /// From this distance on a date gets an alarm of its own in the kernel, ns: a wait's limit is late by a thousandth of
  /// its length, an alarm is not, and costs a system call more.
  package static let distanceOfFarDates: UInt64 = 10_000_000
  /// How long a loop sleeps at most where it has to look at a clock itself, the kernel having no alarm left, ns.
  package static let sleepWithoutAlarm: UInt64 = 1_000_000_000
  /// Who spins reads the clock once for so many looks, which cost about as much.
  package static let looksPerClockReading = 4
  /// After so many busy passes in a row beforeWaiting and afterWaiting are called all the same.
  package static let busyPassesBeforeActivities = 64
  /// … or after so long, ns.
  package static let busyTimeBeforeActivities: UInt64 = 8_000_000
  /// A busy pass asks the kernel for ready descriptors at least this often, ns.
  package static let busyTimeBeforeLook: UInt64 = 1_000_000
  /// … and after so many busy passes, so that cheap passes need no clock for it.
  package static let busyPassesBeforeLook = 16
  /// So many events a stream keeps for a task that is behind, where the kernel keeps the others.
  package static let eventsKept = 64
  /// So many ticks a monitor of frames remembers at most, whatever its window.
  package static let ticksMonitored = 4096
}
