/// A job that waits for its loop, and by which of the loop's two executors it came.
///
/// It has to be run on exactly that one: a job of an actor that was run as one of a task that prefers the loop would go
/// through the queue at each later hop between actors of the loop.
struct LoopJob {
  let job: UnownedJob
  let face: Face

  enum Face: UInt8 {
    /// An actor's executor.
    case serial
    /// That of a task which prefers the loop.
    case task
  }
}

/// The jobs of one mode, first in, first out: beside the mode's blocks, since a nested run serves those alone.
struct JobLine: ~Copyable {
  private var jobs = ChunkQueue<QueuedJob>()

  private struct QueuedJob {
    /// In the loop's order of blocks and jobs.
    let sequence: UInt64
    let job: LoopJob
  }

  var count: Int { jobs.count }

  /// The number of the job that is next, or the largest number if there is none.
  var firstSequence: UInt64 {
    mutating get { jobs.count == 0 ? .max : unsafe jobs.firstPlace().pointee.sequence }
  }

  mutating func append(_ job: LoopJob, sequence: UInt64) {
    jobs.append(QueuedJob(sequence: sequence, job: job))
  }

  mutating func removeFirst() -> LoopJob { jobs.removeFirst().job }
}
