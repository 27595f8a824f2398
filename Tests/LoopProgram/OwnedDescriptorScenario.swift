import Glibc
import LinuxKernel
import Mainspring

/// The descriptors of ready-made sources, counted in a whole process.
enum OwnedDescriptorScenario {
  /// The numbers of the open descriptors.
  private static var openDescriptors: [CInt] { (0..<1024).filter { fcntl($0, F_GETFD) >= 0 } }

  private static func isOpen(_ source: RunLoop.DescriptorSource) -> Bool {
    fcntl(source.descriptor, F_GETFD) >= 0
  }

  /// When ready-made sources close what they own.
  static func closing() throws {
    let before = openDescriptors
    _ = try RunLoop.SignalSource([SIGUSR1]) { _, _ in }
    tell("never added: \(openDescriptors == before)")
    let loop = RunLoop(poller: KernelPoller(), isMain: false, onThread: 0)
    loop.bindToThisThread()
    try closeInCallout(on: loop)
    let kept = try [
      RunLoop.ChildExit(process: getppid()) { _, _ in }, RunLoop.FileChanges("/") { _, _ in },
      RunLoop.SignalSource([SIGUSR1]) { _, _ in },
    ]
    for source in kept {
      try loop.add(source, to: .common)
      try loop.add(source, to: "other")
      try loop.add(source, to: "another")
    }
    for mode in [.default, "other"] as [RunLoop.Mode] { loop.run(in: mode, for: .zero) }
    tell("kept: \(kept.count(where: isOpen)) open, \(kept.count(where: \.isValid)) valid")
    loop.end()
    tell("after the loop's end: \(kept.count(where: isOpen)) open, \(kept.count(where: \.isValid)) valid")
    tell("nothing is left: \(openDescriptors == before)")
  }

  private static func closeInCallout(on loop: RunLoop) throws {
    let source = try RunLoop.SignalSource([SIGUSR1]) { source, _ in
      source.invalidate()
      tell("in its callout: \(isOpen(source))")
    }
    try loop.add(source, to: .default)
    raise(SIGUSR1)
    loop.run(in: .default)
    tell("after its callout: \(isOpen(source))")
  }

  /// What making a source without a descriptor to spare comes to.
  static func shortage() throws {
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var fillers: [CInt] = []
    while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
    let makers: [(name: String, make: () throws -> RunLoop.DescriptorSource)] = [
      ("signals", { try RunLoop.SignalSource([SIGUSR1]) { _, _ in } }),
      ("child", { try RunLoop.ChildExit(process: getppid()) { _, _ in } }),
      ("files", { try RunLoop.FileChanges { _, _ in } }),
    ]
    // A signal source takes three: from none to one too few.
    for (maker, spare) in [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)] {
      for filler in fillers.prefix(spare) { close(filler) }
      let before = openDescriptors
      do {
        _ = try makers[maker].make()
        tell("\(makers[maker].name) with \(spare): made")
      } catch {
        tell("\(makers[maker].name) with \(spare): \(error)")
      }
      tell("left as it was: \(openDescriptors == before)")
      for _ in 0..<spare { _ = dup(0) }
    }
  }
}
