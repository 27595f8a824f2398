import LinuxKernel

/// What a signal source waits for: its signals in the kernel, and those that another source took first.
///
/// A signal is taken from the kernel once. Who takes it leaves a copy with every listener that asked for it, and rings.
final class SignalListener: Sendable {
  let signals: SignalSet
  /// Readable while a signal or a letter waits.
  private let group: DescriptorGroup
  private let kernel: SignalDescriptor
  private let bell: EventDescriptor

  init(_ signals: SignalSet) throws(KernelError) {
    self.signals = signals
    let kernel = try SignalDescriptor(signals)
    let bell = try EventDescriptor()
    group = try DescriptorGroup([kernel.number, bell.number])
    self.kernel = kernel
    self.bell = bell
    let place = Place(signals: signals, bell: self.bell.number)
    Self.places.withLock { $0[ObjectIdentifier(self)] = place }
  }

  deinit {
    // From here on nobody rings any more.
    let id = ObjectIdentifier(self)
    Self.places.withLock { $0[id] = nil }
  }

  /// The descriptor to wait for.
  var number: CInt { group.number }

  /// The signal that is next for this listener, nil if none waits. The order is the same for all who listen.
  func next() -> SignalMail.Letter? {
    let id = ObjectIdentifier(self)
    return Self.places.withLock { places in
      if let letter = places[id]?.mail.takeFirst() {
        if places[id]?.mail.isEmpty ?? true { bell.silence() }
        return letter
      }
      guard let record = kernel.take() else { return nil }
      Self.spread(record, from: id, in: &places)
      return SignalMail.Letter(record)
    }
  }

  // MARK: who listens

  /// Makes the list of them, if nobody has listened yet.
  static func makePlaces() { _ = places }

  /// A listener's place among those of the process.
  private struct Place {
    let signals: SignalSet
    let bell: CInt
    /// The bell of a place that was inherited by fork is closed, or another's.
    let generation = Fork.generation
    var mail = SignalMail()
  }

  private static let places = Locked<[ObjectIdentifier: Place]>([:]).heldAcrossForks()

  private static func spread(
    _ record: SignalRecord, from taker: ObjectIdentifier, in places: inout [ObjectIdentifier: Place]
  ) {
    guard places.count > 1 else { return }
    for (id, place) in places
    where id != taker && place.generation == Fork.generation && place.signals.contains(record.number) {
      places[id]?.mail.append(record)
      if place.mail.isEmpty { EventDescriptor.ring(place.bell) }
    }
  }
}
