import LinuxKernel

extension RunLoop.SignalSource {
  /// A signal that came.
  public struct Delivery: Hashable, Sendable {
    /// Its number.
    public let signal: CInt
    /// How it came: `SI_USER`, `SI_QUEUE`, `SI_KERNEL` and so on, or for some signals what happened (`CLD_EXITED`).
    public let code: CInt
    /// Who sent it, or of a SIGCHLD, whom it is about; nil for the kernel's own.
    public let sender: Sender?
    /// What `sigqueue` sent along, or a timer was given; nil for other signals.
    public let value: CInt?
    /// How many more signals of its number this one stands for: those that were merged while the source's loop took none
    /// of what another loop had taken, and further expirations of a timer. What the kernel itself merged nobody counts.
    public let merged: Int

    /// A process, as it was when it sent the signal.
    public struct Sender: Hashable, Sendable {
      /// Its number, 0 if it is none that this process can see.
      public let process: CInt
      /// Its real user.
      public let user: UInt32
    }

    init(_ letter: SignalMail.Letter) {
      let record = letter.record
      signal = record.number
      code = record.code
      sender = record.isFromProcess ? Sender(process: record.process, user: record.user) : nil
      value = record.hasValue ? record.value : nil
      merged = letter.merged
    }
  }
}
