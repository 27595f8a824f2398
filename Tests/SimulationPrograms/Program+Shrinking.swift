extension Program {
  /// A program that is no larger and still `fails`: one that nothing can be left out of without mending it.
  package func shrunk(while fails: (Program) -> Bool) -> Program {
    var smallest = self
    var wasShrunk = true
    while wasShrunk {
      wasShrunk = false
      for list in smallest.actLists {
        // From behind, so that what comes before keeps its place.
        for place in smallest[keyPath: list].indices.reversed() {
          for replacement in smallest[keyPath: list][place].smaller {
            var candidate = smallest
            candidate[keyPath: list].replaceSubrange(place...place, with: replacement)
            guard fails(candidate) else { continue }
            smallest = candidate
            wasShrunk = true
            break
          }
        }
      }
    }
    return smallest
  }

  private var actLists: [WritableKeyPath<Program, [Act]>] {
    [\.mainLine] + events.indices.map { \.events[$0].acts } + blocks.indices.map { \.blocks[$0] }
      + behaviours.indices.flatMap { item in behaviours[item].indices.map { \.behaviours[item][$0] } }
  }
}

extension Act {
  /// Nothing, and parts of an act.
  fileprivate var smaller: [[Act]] {
    guard case .update(let acts) = self else { return [[]] }
    let shorter = acts.indices.map { place in
      var rest = acts
      rest.remove(at: place)
      return [Act.update(rest)]
    }
    return [[], acts] + (acts.isEmpty ? [] : shorter)
  }
}
