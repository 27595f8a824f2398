import SimulationPrograms

/// What the descriptors are ready for, and what the modes wait for on them.
final class DescriptorTable {
  /// With how often it was set: an edge is told once for each time.
  private var readiness: [Int: (ready: Program.Readiness, change: Int)] = [:]
  private var registrations: [Place: Registration] = [:]
  /// Edges that were found and not told.
  var kept: [(mode: Program.Mode, item: Item, readiness: Program.Readiness)] = []

  struct Place: Hashable {
    let mode: Program.Mode
    let descriptor: Int
  }

  private struct Registration {
    var asked: Asked
    /// Which change of the readiness was told last.
    var toldChange = 0
  }

  /// What all sources of a descriptor and a mode want together.
  struct Asked: Equatable {
    var interest: Program.Readiness
    var isEdge: Bool
  }

  func set(_ ready: Program.Readiness, of descriptor: Int) {
    readiness[descriptor] = (ready, (readiness[descriptor]?.change ?? 0) + 1)
  }

  /// Registers what is asked for; a change of that, like a registration, makes an edge news again.
  func register(_ asked: Asked?, at place: Place) {
    if registrations[place]?.asked != asked { registrations[place] = asked.map { Registration(asked: $0) } }
  }

  /// A further source wants to be told, also of what others were told before.
  func forgetTold(at place: Place) { registrations[place]?.toldChange = 0 }

  /// What is to be told. Errors and hang-ups need no asking.
  func ready(at place: Place) -> Program.Readiness {
    guard let registration = registrations[place], let (ready, change) = readiness[place.descriptor] else {
      return []
    }
    if registration.asked.isEdge, registration.toldChange == change { return [] }
    return ready.intersection(registration.asked.interest.union([.error, .hangUp]))
  }

  func noteTold(at place: Place) { registrations[place]?.toldChange = readiness[place.descriptor]!.change }
}
