// What people read of a program and its logs.

extension Program: CustomStringConvertible {
  package var description: String {
    var lines = ["program of seed \(seed)"]
    for (item, kind) in items.enumerated() {
      lines.append("  item \(item): \(kind)")
      for (call, acts) in behaviours[item].enumerated() where !acts.isEmpty {
        lines.append("    call \(call): \(acts)")
      }
    }
    for (block, acts) in blocks.enumerated() where !acts.isEmpty { lines.append("  block \(block): \(acts)") }
    lines.append("  main line: \(mainLine)")
    for event in events where !event.acts.isEmpty {
      lines.append("  elsewhere after \(event.after): \(event.acts)")
    }
    return lines.joined(separator: "\n").replacing("SimulationPrograms.", with: "").replacing(
      "Act.", with: "")
  }
}

extension Program.Mode: CustomStringConvertible {
  package var description: String {
    switch self {
    case .default: "default"
    case .tracking: "tracking"
    case .initialization: "initialization"
    case .other: "other"
    case .common: "common"
    }
  }
}

extension Program.Activity: CustomStringConvertible {
  package var description: String {
    let names = ["entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "exit"]
    let held = names.indices.filter { rawValue & (1 << UInt8($0)) != 0 }.map { names[$0] }
    return held.count == 1 ? held[0] : "\(held)"
  }
}

extension Program.Readiness: CustomStringConvertible {
  package var description: String {
    let names: [(Program.Readiness, String)] = [
      (.read, "read"), (.write, "write"), (.error, "error"), (.hangUp, "hangUp"),
    ]
    let held = names.filter { contains($0.0) }.map(\.1)
    return held.count == 1 ? held[0] : "\(held)"
  }
}

extension Act.Run: CustomStringConvertible {
  package var description: String { "in \(mode) for \(limit.map { "\($0)" } ?? "ever"), \(way)" }
}

extension Act.Way: CustomStringConvertible {
  package var description: String {
    switch self {
    case .plain(let returnAfterSource, let waitsWhenEmpty):
      (returnAfterSource ? "until a source" : "plain") + (waitsWhenEmpty ? ", also when empty" : "")
    case .overStops(let waitsWhenEmpty): "over stops" + (waitsWhenEmpty ? ", also when empty" : "")
    case .untilHandled(let item): "until \(item) is handled"
    case .untilToken(let token): "until token \(token)"
    }
  }
}

extension Event.Callout: CustomStringConvertible {
  package var description: String {
    switch self {
    case .source: "source"
    case .timer: "timer"
    case .activity(let activity): "\(activity)"
    case .ready(let readiness): "ready for \(readiness)"
    case .message(let message): "message \(message)"
    case .mark(let mark): "mark \(mark)"
    case .task(let task): "task \(task)"
    case .ending(let task, let ending): "task \(task) \(ending)"
    }
  }
}

extension Event.Result: CustomStringConvertible {
  package var description: String {
    "\(reason)" + (handledSource ? ", handled a source" : "")
      + (stopsPassedOver > 0 ? ", \(stopsPassedOver) stops" : "")
  }
}

extension Line: CustomStringConvertible {
  package var description: String {
    let text =
      switch event {
      case .called(let item, let callout): "item \(item): \(callout)"
      case .runBegan(let run): "run \(run)"
      case .runEnded(let result): "\(result)"
      default: "\(event)".replacing("SimulationPrograms.", with: "")
      }
    return "\(time): \(String(repeating: "  ", count: depth))\(text)"
  }
}
