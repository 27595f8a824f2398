import LinuxKernel

/// Signals that one source took from the kernel and another has yet to tell.
struct SignalMail {
  private var waiting: [Letter] = []

  /// A signal, and how many more of its number it stands for.
  struct Letter {
    let record: SignalRecord
    var merged: Int

    init(_ record: SignalRecord) {
      self.record = record
      merged = Int(record.overrun)
    }
  }

  /// Beyond so many, a signal is merged with the last of its number that waits, if there is one: a loop that does not run
  /// costs no more memory.
  static let limit = 256

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ record: SignalRecord) {
    if waiting.count >= Self.limit, let last = waiting.lastIndex(where: { $0.record.number == record.number })
    {
      waiting[last].merged += 1 + Int(record.overrun)
    } else {
      waiting.append(Letter(record))
    }
  }

  mutating func takeFirst() -> Letter? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
