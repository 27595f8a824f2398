/// A loop that programs can be executed on: the real one, a model, or another implementation.
package protocol World: AnyObject {
  /// Milliseconds since the start.
  var now: Int { get }
  func make(_ kind: Program.Kind, as item: Int, for player: Player)
  func signal(_ item: Int)
  func wakeUp()
  func perform(in modes: [Program.Mode], for player: Player, block: Int)
  func add(_ item: Int, to mode: Program.Mode) -> Bool
  func remove(_ item: Int, from mode: Program.Mode)
  func invalidate(_ item: Int)
  func update(_ changes: @escaping @Sendable () -> Void)
  func setDate(_ item: Int, to date: Int?) -> Bool
  func send(_ message: Int, for player: Player, to item: Int) -> Event.Sending
  func close(_ item: Int)
  func mark(_ item: Int, _ mark: Int) -> Bool
  func unmark(_ item: Int, _ mark: Int) -> Bool
  func flush(_ item: Int)
  func addTask(_ task: Act.Task, number: Int, for player: Player, to item: Int) -> Bool
  func cancelTask(ofKey key: Int, in item: Int) -> Bool
  func setInterest(of item: Int, to interest: Program.Readiness)
  func setReadiness(of descriptor: Int, to readiness: Program.Readiness)
  func signalToken(_ token: Int)
  func spend(_ time: Int)
  func run(_ run: Act.Run) -> Event.Result
  func stop(all: Bool) -> Bool
  func cancelPendingStop() -> Bool
  func makeCommon(_ mode: Program.Mode)
  func script(after delay: Int, _ event: @escaping () -> Void)
  /// Lets go of everything, the player included.
  func end()
}
