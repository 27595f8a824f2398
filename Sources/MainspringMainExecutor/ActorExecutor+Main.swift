#if compiler(<6.3)
  #error("MainspringMainExecutor stands on an interface that Swift has from 6.3 on")
#endif

@_spi(ExperimentalCustomExecutors) public import _Concurrency
public import Mainspring

/// What the runtime asks of an executor that is to be the main actor's. The main loop's own is: so a hop between the main
/// actor and an actor on the main loop is none.
///
/// The protocol is not public, and neither is that a public class conforms to it.
@_spi(MainspringMainExecutor) extension RunLoop.ActorExecutor: MainExecutor {
  /// What the program's main thread does after main has first been suspended, to the end of the process: stops end the
  /// runs that are nested in this one.
  @_spi(MainspringMainExecutor) public func run() throws {
    while true { RunLoop.main.base.runThroughStops(in: .default, whenEmpty: .wait) }
  }

  /// Ends runs that are nested in the program's.
  @_spi(MainspringMainExecutor) public func stop() { RunLoop.main.stop(.all) }
}
