/// Executes a program on a world and writes down what was called when, and what was answered.
package final class Player: @unchecked Sendable {
  // Sendable: used on the one thread of its test, where every world calls it.
  private let program: Program
  private let world: any World
  private var log: [Line] = []
  private var calls: [Int]
  private let restraint: (any Restraint)?
  /// The runs and callouts that are on, the outermost first.
  private var stage: [Scene] = []
  private var depth = 0
  private var isElsewhere = false
  private var messagesSent = 0
  private var tasksAdded = 0

  /// Runs in a run in a run, and no deeper.
  private static let deepest = 3
  /// Programs signal and queue themselves: after so many lines blocks do nothing any more …
  private static let linesWithBlocks = 400
  /// … and after so many nobody does.
  private static let linesWithActs = 2000
  /// When a run without a limit is ended from elsewhere, milliseconds after its beginning.
  private static let rescueTime = 80

  /// - Parameter restraint: what is left out of the program, whatever the world.
  package init(_ program: Program, on world: any World, restraint: (any Restraint)? = nil) {
    self.program = program
    self.world = world
    self.restraint = restraint
    calls = program.items.map { _ in 0 }
  }

  package func play() -> [Line] {
    for (index, kind) in program.items.enumerated() { world.make(kind, as: index, for: self) }
    for event in program.events {
      world.script(after: event.after) { [self] in
        isElsewhere = true
        note(.elsewhere)
        perform(event.acts)
        isElsewhere = false
      }
    }
    perform(program.mainLine)
    var played = log
    world.end()
    played.arrangeRegistrations()
    return played
  }

  package func note(_ event: Event) { log.append(Line(time: world.now, depth: depth, event: event)) }

  package func called(_ item: Int, _ what: Event.Callout) {
    note(.called(item, what))
    restraint?.note(item, what)
    let call = calls[item]
    calls[item] += 1
    stage.append(.callout(item, what))
    defer { stage.removeLast() }
    if call < program.behaviours[item].count {
      perform(program.behaviours[item][call])
    } else if program.stoppers.contains(item) {
      _ = world.setDate(item, to: 0)
      note(.stop(metRun: world.stop(all: false)))
    } else if case .descriptor(let number, _, _, _) = program.items[item] {
      // What nobody reads stays ready, and time would stand still.
      world.setReadiness(of: number, to: [])
    }
  }

  package func ran(block: Int) {
    note(.block(block))
    restraint?.noteBlock()
    guard log.count < Self.linesWithBlocks else { return }
    stage.append(.block)
    perform(program.blocks[block])
    stage.removeLast()
  }

  package func ran(block: Int, as task: Int, of item: Int) {
    note(.called(item, .task(task)))
    restraint?.note(item, .task(task))
    guard log.count < Self.linesWithBlocks else { return }
    stage.append(.callout(item, .task(task)))
    perform(program.blocks[block])
    stage.removeLast()
  }

  /// What something of the program's held has gone, which the program may notice.
  package func ended(block: Int) {
    guard log.count < Self.linesWithBlocks, !program.blocks.isEmpty else { return }
    // Ends that bring about ends come to one, too.
    note(.block(block))
    perform(program.blocks[block % program.blocks.count])
  }

  private func perform(_ acts: [Act]) { for act in acts { perform(act) } }

  private func perform(_ act: Act) {
    guard log.count < Self.linesWithActs else { return }
    if let restraint, !restraint.allows(act, amid: stage) { return }
    switch act {
    case .signal(let item): world.signal(item)
    case .wakeUp: world.wakeUp()
    case .perform(let block, let modes): world.perform(in: modes, for: self, block: block)
    case .add(let item, let mode): note(.added(item, mode, world.add(item, to: mode)))
    case .remove(let item, let mode):
      note(.removed(item, mode))
      world.remove(item, from: mode)
    case .invalidate(let item):
      note(.invalidated(item))
      world.invalidate(item)
    case .update(let acts):
      world.update { [self] in
        note(.update)
        perform(acts)
      }
    case .setDate(let item, let delay):
      note(.dateSet(item, world.setDate(item, to: delay.map { world.now + $0 })))
    case .send(let item):
      messagesSent += 1
      let message = messagesSent
      note(.sent(message, to: item, world.send(message, for: self, to: item)))
    case .close(let item): world.close(item)
    case .mark(let item, let mark): note(.given(item, world.mark(item, mark)))
    case .unmark(let item, let mark): note(.given(item, world.unmark(item, mark)))
    case .flush(let item): if mayFlush(item) { world.flush(item) }
    case .addTask(let item, let task):
      tasksAdded += 1
      note(.given(item, world.addTask(task, number: tasksAdded, for: self, to: item)))
    case .cancelTask(let item, let key): note(.given(item, world.cancelTask(ofKey: key, in: item)))
    case .setInterest(let item, let interest): world.setInterest(of: item, to: interest)
    case .setReadiness(let descriptor, let readiness): world.setReadiness(of: descriptor, to: readiness)
    case .signalToken(let token): world.signalToken(token)
    case .spend(let time): world.spend(time)
    case .run(let run): perform(run)
    case .stop(let all): note(.stop(metRun: world.stop(all: all)))
    case .cancelPendingStop: note(.stopCancelled(world.cancelPendingStop()))
    case .makeCommon(let mode): world.makeCommon(mode)
    }
  }

  /// Only on the loop's thread, and not within an update.
  private func mayFlush(_ item: Int) -> Bool {
    !isElsewhere && !stage.contains { if case .callout(item, _) = $0 { true } else { false } }
  }

  private func perform(_ run: Act.Run) {
    guard depth < Self.deepest else { return }
    note(.runBegan(run))
    if run.limit == nil {
      world.script(after: Self.rescueTime) { [self] in
        note(.rescue)
        _ = world.stop(all: true)
      }
    }
    depth += 1
    stage.append(.run(run))
    let result = world.run(run)
    stage.removeLast()
    depth -= 1
    note(.runEnded(result))
  }
}
