import SimulationPrograms

extension Model {
  private func sources(of descriptor: Int, in mode: Program.Mode) -> [Item] {
    members(of: mode).filter { $0.descriptor == descriptor }
  }

  func hasDescriptors(_ mode: Program.Mode) -> Bool { members(of: mode).contains { $0.isDescriptor } }

  private var descriptorNumbers: Set<Int> { Set(items.compactMap(\.descriptor)) }

  // MARK: registering

  /// Brings the registrations in line with what the sources want now.
  func registerDescriptors() {
    for descriptor in descriptorNumbers {
      for mode in Program.Mode.runnable {
        descriptors.register(
          wanted(of: descriptor, in: mode), at: .init(mode: mode, descriptor: descriptor))
      }
    }
    descriptors.kept.removeAll { $0.item.modes[$0.mode] == nil }
  }

  /// Edges only if nobody wants levels.
  private func wanted(of descriptor: Int, in mode: Program.Mode) -> DescriptorTable.Asked? {
    let wanting = sources(of: descriptor, in: mode).filter {
      $0.isValid && !$0.isResting && !$0.interest.isEmpty
    }
    if wanting.isEmpty { return nil }
    return .init(
      interest: wanting.reduce([]) { $0.union($1.interest) }, isEdge: wanting.allSatisfy { $0.isEdge })
  }

  /// A source came into modes, or moved between a mode alone and the common modes.
  func forgetTold(_ source: Item, in modes: Set<Program.Mode>) {
    guard let descriptor = source.descriptor else { return }
    for mode in modes { descriptors.forgetTold(at: .init(mode: mode, descriptor: descriptor)) }
    descriptors.kept.removeAll { $0.item === source && modes.contains($0.mode) }
  }

  func setInterest(of number: Int, to interest: Program.Readiness) {
    let source = items[number]
    source.interest = interest
    guard source.belongsToLoop else { return }
    change(concerning: Set(source.modes.keys)) { [self] in
      source.isResting = false
      registerDescriptors()
    }
  }

  // MARK: looking

  func hasReadyDescriptor(_ mode: Program.Mode) -> Bool {
    descriptorNumbers.contains { !descriptors.ready(at: .init(mode: mode, descriptor: $0)).isEmpty }
  }

  func hasKeptEdge(in mode: Program.Mode) -> Bool { descriptors.kept.contains { $0.mode == mode } }

  func keepEdge(_ found: Round.Found, in mode: Program.Mode) {
    guard found.item.modes[mode] != nil else { return }
    descriptors.kept.append((mode, found.item, found.readiness))
  }

  /// Finds for each source what of its descriptor's readiness concerns it, together with what was kept for it.
  func findDescriptors(in mode: Program.Mode) {
    var found: [Int: Program.Readiness] = [:]
    for descriptor in descriptorNumbers {
      let place = DescriptorTable.Place(mode: mode, descriptor: descriptor)
      let ready = descriptors.ready(at: place)
      if ready.isEmpty { continue }
      descriptors.noteTold(at: place)
      for source in sources(of: descriptor, in: mode) { found[source.number] = relevant(ready, for: source) }
    }
    for kept in descriptors.kept where kept.mode == mode {
      found[kept.item.number, default: []].formUnion(kept.readiness)
    }
    descriptors.kept.removeAll { $0.mode == mode }
    for (number, readiness) in found where !readiness.isEmpty {
      round.ready.append(Round.Found(item: items[number], readiness: readiness))
    }
  }

  private func relevant(_ ready: Program.Readiness, for source: Item) -> Program.Readiness {
    if source.isResting || source.interest.isEmpty { return [] }
    return ready.intersection(source.interest.union([.error, .hangUp]))
  }

  // MARK: telling

  func tell(_ found: Round.Found, for run: ModelRun) -> Bool {
    let source = found.item
    guard source.isValid, source.modes[run.mode] != nil else { return false }
    // The interest may have changed since the look.
    let readiness = relevant(found.readiness, for: source)
    if readiness.isEmpty { return false }
    if readiness.isDisjoint(with: [.read, .write]) {
      // Nothing that was asked for: told once.
      source.isResting = true
      registerDescriptors()
    }
    source.call(.ready(readiness))
    noteHandled(source, run)
    return true
  }
}
