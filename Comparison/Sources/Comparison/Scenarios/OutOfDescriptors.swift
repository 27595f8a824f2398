import CProcess
import Glibc

import class Mainspring.RunLoop

/// A loop that needs a descriptor when the process has none left.
struct OutOfDescriptors: Scenario {
  let name = "out-of-descriptors"
  let title = "add a pipe to a mode that was not used yet, when the process has no descriptor left"
  let rules = Rules(47)

  func play(_ side: Side, _ notes: Notes) {
    var ends: [CInt] = [-1, -1]
    // SAFETY: the call writes two numbers; the array has two.
    guard unsafe process_pipe(&ends) == 0 else { return }
    let pipe = ends[0]
    // SAFETY: the call reads one byte of the array.
    _ = unsafe write(ends[1], [1], 1)
    let handled = Shared(false)
    notes.begin("adding it")
    switch side {
    case .coreFoundation:
      let loop = CoreFoundationLoop.current
      let mode = CoreFoundationLoop.mode("new")
      withoutDescriptors { _ = loop.addReadable(pipe, to: mode) { handled.value = true } }
      loop.run(in: mode, for: .milliseconds(50))
    case .mainspring:
      let source = RunLoop.DescriptorSource(pipe) { source, _ in
        handled.value = true
        source.invalidate()
      }
      withoutDescriptors {
        do {
          try RunLoop.current.add(source, to: "new")
          RunLoop.current.run(in: "new", for: .zero)
        } catch {
          notes.note("error", "\(error)")
        }
      }
      // What was refused can be asked for again.
      try? RunLoop.current.add(source, to: "new")
      RunLoop.current.run(in: "new", for: .milliseconds(50))
    }
    notes.note("handled", handled.value)
  }

  /// Calls `body` when not one descriptor more can be opened.
  private func withoutDescriptors(_ body: () -> Void) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // SAFETY: the calls read and write one rlimit.
    unsafe getrlimit(resource, &limit)
    let before = limit.rlim_cur
    let next = dup(0)
    close(next)
    limit.rlim_cur = rlim_t(next)
    unsafe setrlimit(resource, &limit)
    body()
    limit.rlim_cur = before
    unsafe setrlimit(resource, &limit)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let handled = try facts.isTrue("handled")
    let later = handled ? "worked once there was one" : "did not work later either"
    guard let error = try? facts.text("error") else {
      return Finding("said nothing, \(later)", isRight: false)
    }
    return Finding("refused: \(error); \(later)", isRight: handled)
  }
}
