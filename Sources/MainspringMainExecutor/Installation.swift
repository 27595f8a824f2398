@_spi(ExperimentalCustomExecutors) internal import _Concurrency
internal import LinuxKernel
public import Mainspring
internal import Synchronization

/// The executors that the runtime takes in the place of its own.
private struct LoopExecutorFactory: ExecutorFactory {
  static var mainExecutor: any MainExecutor { RunLoop.main.executor }
  static let defaultExecutor: any TaskExecutor = DefaultExecutor(RunLoop.main.base)
}

private let isInstalled = Atomic<Bool>(false)

/// Before main: the runtime has to be told before it makes its first task or meets the main actor. Where a library that
/// holds this is loaded later, on whatever thread, it is too late.
@section(".init_array") @used
private let installBeforeMain: @convention(c) () -> Void = {
  guard ThreadIdentity.isMain else { return }
  _createExecutors(factory: LoopExecutorFactory.self)
  isInstalled.store(true, ordering: .relaxed)
}

extension MainRunLoop {
  /// Whether the main actor runs on this loop: so it does in a program that links `MainspringMainExecutor`. Any thread.
  public static var carriesMainActor: Bool { isInstalled.load(ordering: .relaxed) }
}
