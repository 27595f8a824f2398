import Mainspring

/// Who runs where.
enum HopScenario {
  @MainActor static func run() async {
    tell("main begins")
    let near = Counter(on: RunLoop.main.base)
    await near.tellWhere("an actor on the main loop")
    let thread = try! RunLoopThread(named: "far")
    let far = Counter(on: thread.loop)
    await far.tellWhere("an actor on another loop")
    tell("main goes on")
    await Task(executorPreference: RunLoop.main.taskExecutor) { @concurrent in
      tell("a task that prefers the loop")
    }.value
    await Task.detached {
      tell("a detached task")
      await MainActor.run { tell("MainActor.run") }
    }.value
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<500 { await near.add(1); await far.add(1) } } }
    }
    tell("added: \(await near.count), \(await far.count)")
    thread.stop()
    tell("the thread is stopped")
  }
}
