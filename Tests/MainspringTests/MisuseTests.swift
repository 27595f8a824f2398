import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// What a program gets wrong traps, and says what it was.
@Suite struct MisuseTests {
  /// Whether what the exit test wrote names all of these.
  private func says(_ result: ExitTest.Result?, _ words: String...) -> Bool {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    return words.allSatisfy(text.contains)
  }

  @Test func `M12: running another thread's loop traps with a message that names both threads`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = Box<RunLoop>()
      let (made, never) = (Gate(), Gate())
      let thread = TestThread {
        other.value = RunLoop.current
        made.open()
        never.pass()
      }
      made.pass()
      other.value?.run(in: .default)
      thread.join()
    }
    #expect(says(result, "tried to run the loop of thread", "a loop runs on its own thread only"))
    // The two numbers differ.
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let numbers = text.split(whereSeparator: { !$0.isNumber && !$0.isLetter }).adjacentNumbers(
      after: "thread")
    #expect(numbers.count >= 2 && numbers[0] != numbers[1])
  }

  @Test func `M12: running in the common modes is an error, not a silent finish`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let virtual = VirtualRunLoop()
      virtual.loop.run(in: .common)
    }
    #expect(says(result, "cannot run in .common"))
  }

  @Test func `M12: the common modes cannot be made common`() async {
    await #expect(processExitsWith: .failure) { VirtualRunLoop().loop.addCommonMode(.common) }
  }

  @Test func `M12: what only the loop's thread may ask traps elsewhere`() async {
    await #expect(processExitsWith: .failure) {
      let virtual = VirtualRunLoop()
      virtual.loop.actingFromElsewhere { _ = virtual.loop.currentMode }
    }
  }

  @Test func `M44: running a loop after its end traps and says so`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let virtual = VirtualRunLoop()
      virtual.end()
      virtual.loop.run(in: .default)
    }
    #expect(says(result, "ended"))
  }

  @Test func `M25: an item belongs to one loop: adding it to a second one traps and names its place`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let first = VirtualRunLoop()
      let second = VirtualRunLoop()
      let source = RunLoop.Source { _ in }
      first.loop.add(source, to: .default)
      second.loop.add(source, to: .default)
    }
    #expect(says(result, "MisuseTests.swift", "belongs to one loop"))
  }

  @Test func `M11: a run until a timer or an observer is handled traps`() async {
    await #expect(processExitsWith: .failure) {
      let virtual = VirtualRunLoop()
      virtual.loop.run(untilHandled: RunLoop.Timer(after: .zero) { _ in })
    }
  }

  @Test func `M11: a token is waited for by one loop`() async {
    await #expect(processExitsWith: .failure) {
      let token = RunLoop.Token()
      token.signal()
      let first = VirtualRunLoop()
      first.loop.run(until: token)
      let second = VirtualRunLoop()
      second.loop.run(until: token)
    }
  }

  @Test func `M18: a block without a mode traps`() async {
    await #expect(processExitsWith: .failure) {
      let virtual = VirtualRunLoop()
      virtual.loop.perform(in: [] as [RunLoop.Mode]) {}
    }
  }

  @Test func `M30: a port that could hold no message traps`() async {
    await #expect(processExitsWith: .failure) { _ = RunLoop.Port<Int>(capacity: 0) { _, _ in } }
  }
}

extension [Substring] {
  /// The numbers that follow a word.
  fileprivate func adjacentNumbers(after word: String) -> [Int] {
    zip(self, dropFirst()).compactMap { $0 == word ? Int($1) : nil }
  }
}
