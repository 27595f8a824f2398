import LinuxKernel

/// The paths of one source and the kernel's watches for them. Any thread.
final class WatchedFiles: Sendable {
  private let descriptor: InotifyDescriptor
  /// By the kernel's number. Several paths may lead to one file, which has one watch.
  ///
  /// Watches are made with the lock held, so that no change is looked up before its watch is written down.
  private let watches = Locked<[CInt: [Entry]]>([:])

  private struct Entry {
    let path: String
    let events: RunLoop.FileChanges.Events
  }

  init() throws(KernelError) { descriptor = try InotifyDescriptor() }

  var number: CInt { descriptor.number }

  var paths: [String] { watches.withLock { $0.values.flatMap { $0.map(\.path) } }.sorted() }

  func watch(
    _ path: String, for events: RunLoop.FileChanges.Events, followsLinks: Bool
  ) throws(RunLoop.SourceError) {
    require(!events.isEmpty, "\(path) would be watched for nothing")
    // The kernel would take the path for one that ends there.
    if path.utf8.contains(0) { throw .noSuchPath(path) }
    let bits = events.inotifyBits | (followsLinks ? 0 : InotifyBits.doNotFollow)
    do throws(KernelError) {
      try watches.withLock { watches throws(KernelError) in
        let watch = try descriptor.watch(path, for: bits)
        // Another file may stand at the path by now.
        forget(path, in: &watches, except: watch)
        watches[watch, default: []].removeAll { $0.path == path }
        watches[watch, default: []].append(Entry(path: path, events: events))
      }
    } catch {
      throw RunLoop.SourceError(watching: path, error)
    }
  }

  func forget(_ path: String) -> Bool { watches.withLock { forget(path, in: &$0) } }

  @discardableResult
  private func forget(_ path: String, in watches: inout [CInt: [Entry]], except kept: CInt? = nil) -> Bool {
    let held = watches.first { $0.key != kept && $0.value.contains { $0.path == path } }
    guard let (watch, entries) = held else { return false }
    let left = entries.filter { $0.path != path }
    // The kernel goes on telling what a path that left was watched for; it is not passed on.
    watches[watch] = left.isEmpty ? nil : left
    if left.isEmpty { descriptor.forget(watch) }
    return true
  }

  /// Takes what the kernel tells and says what it means for each path.
  func takeChanges() -> [RunLoop.FileChanges.Change] {
    let told = descriptor.take()
    return watches.withLock { watches in
      told.flatMap { event -> [RunLoop.FileChanges.Change] in
        if event.bits & InotifyBits.overflow != 0 { return [.init(.overflow, path: "", event)] }
        let entries = watches[event.watch] ?? []
        if event.bits & InotifyBits.ignored != 0 { watches[event.watch] = nil }
        return entries.flatMap { entry in
          Self.kinds(of: event, wantedBy: entry.events).map { .init($0, path: entry.path, event) }
        }
      }
    }
  }

  private static func kinds(
    of event: InotifyEvent, wantedBy events: RunLoop.FileChanges.Events
  ) -> [RunLoop.FileChanges.Kind] {
    if event.bits & InotifyBits.ignored != 0 { return [.watchEnded] }
    if event.bits & InotifyBits.unmounted != 0 { return [.unmounted] }
    return RunLoop.FileChanges.Events.bits.compactMap { known in
      event.bits & known.bit != 0 && events.contains(known.event) ? known.kind : nil
    }
  }
}
