import Foundation
import Symbols
import Synchronization
import Testing

@testable import StallMonitor

/// Stacks that go through the system's and the language's libraries: each is followed to the thread's first function.
@Suite(.serialized, .answersSignals) struct CaptureLibraryTests {
  private static let sampleCount = 60

  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The share of samples, in percent, in which it is expected to be there; not all, where it begins anew each time.
    var sharePercent = 90
    let work: @Sendable (TargetThread.Control) -> Void
  }

  static let places: [Place] = [
    Place(testDescription: "JSONDecoder") { repeating($0, decodeJSON) },
    Place(testDescription: "DateFormatter") { repeating($0, formatDate) },
    Place(testDescription: "regular expression") { repeating($0, matchExpression) },
    Place(testDescription: "Dictionary") { repeating($0, fillDictionary) },
    Place(testDescription: "String") { repeating($0, joinStrings) },
    Place(testDescription: "malloc") { repeating($0, allocateAndFree) },
    Place(testDescription: "memcpy") { repeating($0, copyMemory) },
    Place(testDescription: "clock") { repeating($0, readClock) },
    Place(testDescription: "math") { repeating($0, computeSines) },
    Place(testDescription: "sort") { repeating($0, sortNumbers) },
    Place(testDescription: "queue.sync") { repeating($0, syncOnQueue) },
    Place(testDescription: "concurrentPerform", sharePercent: 50) { repeating($0, performConcurrently) },
    Place(testDescription: "Thread.sleep") { repeating($0, sleepShortly) },
    Place(testDescription: "NSCondition") { repeating($0, waitForCondition) },
    Place(testDescription: "DispatchSemaphore") { repeating($0, waitForSemaphore) },
    Place(testDescription: "RunLoop") { repeating($0, runRunLoop) },
  ]

  @Test(arguments: places) func `the stack is whole and names the function`(place: Place) throws {
    let sampler = try StackSampler(frameCountMax: 512)
    let symbolicator = Symbolicator(memory: sampler.memory, debugRoot: "/nowhere")
    let thread = TargetThread(place.work)
    defer { thread.finish() }
    var named = 0
    for _ in 0..<Self.sampleCount {
      let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
      let frames = symbolicator.symbolicate(sample.stack.frames, in: sample.modules)
      #expect(sample.isComplete, "\(sample.stack.end) \(sample.method)\n\(frames.listing)")
      if frames.names.contains(where: { $0.contains("libraryPlace") }) { named += 1 }
    }
    #expect(named * 100 >= Self.sampleCount * place.sharePercent, "\(named) of \(Self.sampleCount)")
  }
}

private let sink = Atomic(0)

@inline(never) private func repeating(_ control: TargetThread.Control, _ work: () -> Int) {
  control.arrive()
  while !control.mustEnd { libraryPlace(work) }
}

@inline(never) private func libraryPlace(_ work: () -> Int) {
  for _ in 0..<8 { sink.wrappingAdd(work(), ordering: .relaxed) }
}

private struct Item: Codable { var name: String; var values: [Double]; var next: [Item]? }

private let json: Data = {
  let leaf = Item(name: "leaf", values: [1, 2.5, 3], next: nil)
  let item = Item(name: "root", values: [4, 5], next: (0..<20).map { _ in leaf })
  guard let data = try? JSONEncoder().encode(item) else { preconditionFailure("an item is JSON") }
  return data
}()

private func decodeJSON() -> Int { (try? JSONDecoder().decode(Item.self, from: json))?.next?.count ?? 0 }

private func formatDate() -> Int {
  let formatter = DateFormatter()
  formatter.dateFormat = "EEEE, d MMMM yyyy"
  return formatter.string(from: Date(timeIntervalSince1970: 1_000_000)).count
}

private func matchExpression() -> Int {
  let text = String(repeating: "a word and another, ", count: 50)
  let expression = try? NSRegularExpression(pattern: "(\\w+) and (\\w+)")
  return expression?.numberOfMatches(in: text, range: NSRange(text.startIndex..., in: text)) ?? 0
}

private func fillDictionary() -> Int {
  var numbers: [String: Int] = [:]
  for index in 0..<300 { numbers["\(index % 50)", default: 0] += index }
  return numbers.count
}

private func joinStrings() -> Int {
  (0..<200).map(String.init).joined(separator: ", ").split(separator: ",").count
}

private func allocateAndFree() -> Int {
  var sum = 0
  for index in 1..<400 {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: index * 13 % 2000 + 1, alignment: 16)
    sum &+= Int(bitPattern: memory) & 15
    unsafe memory.deallocate()
  }
  return sum
}

private func copyMemory() -> Int {
  let from = [UInt8](repeating: 1, count: 1 << 18)
  var to = [UInt8](repeating: 0, count: 1 << 18)
  // SAFETY: both hold as many bytes.
  unsafe to.withUnsafeMutableBytes { to in unsafe from.withUnsafeBytes { unsafe to.copyMemory(from: $0) } }
  return Int(to[7])
}

private func readClock() -> Int {
  var time = timespec()
  // SAFETY: writes one timespec.
  for _ in 0..<1000 { unsafe clock_gettime(CLOCK_MONOTONIC, &time) }
  return time.tv_nsec
}

private func computeSines() -> Int { Int((0..<2000).reduce(0.0) { $0 + sin(Double($1)) }) }
private func sortNumbers() -> Int { (0..<500).map { ($0 * 7919) % 1000 }.sorted { $0 > $1 }[0] }
private let queue = DispatchQueue(label: "tested")
private func syncOnQueue() -> Int { queue.sync { sortNumbers() } }

private func performConcurrently() -> Int {
  DispatchQueue.concurrentPerform(iterations: 4) { _ in sink.wrappingAdd(sortNumbers(), ordering: .relaxed) }
  return 1
}

private func sleepShortly() -> Int {
  Thread.sleep(forTimeInterval: 0.003)
  return 1
}

private func waitForCondition() -> Int {
  let condition = NSCondition()
  condition.lock()
  defer { condition.unlock() }
  return condition.wait(until: Date(timeIntervalSinceNow: 0.003)) ? 1 : 0
}

private func waitForSemaphore() -> Int {
  DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(3)) == .success ? 1 : 0
}

private func runRunLoop() -> Int {
  let timer = Timer(timeInterval: 10, repeats: false) { _ in }
  RunLoop.current.add(timer, forMode: .default)
  defer { timer.invalidate() }
  return RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.003)) ? 1 : 0
}
