import Mainspring
import MainspringFoundation
import MainspringMainExecutor
import XCTest

/// XCTest where the main actor runs on the main loop: it waits for an asynchronous test in CFRunLoop, whose guest that
/// loop is.
@main
struct XCTestProgram {
  static func main() throws {
    // Ends by itself if the test does not end it.
    alarm(60)
    let host = try Mainspring.RunLoop.current.beHostedByFoundation()
    withExtendedLifetime(host) {
      XCTMain([
        testCase([
          ("testMainActor", asyncTest(AsyncTests.testMainActor)),
          ("testSleep", asyncTest(AsyncTests.testSleep)),
          ("testTimerOfTheLoop", asyncTest(AsyncTests.testTimerOfTheLoop)),
          ("testMainQueue", asyncTest(AsyncTests.testMainQueue)),
        ]),
        testCase([("testExpectation", SyncTests.testExpectation)]),
      ])
    }
  }
}

final class AsyncTests: XCTestCase {
  func testMainActor() async {
    let isOnMainThread = await MainActor.run { Thread.isMainThread }
    XCTAssertTrue(isOnMainThread)
    XCTAssertTrue(MainRunLoop.carriesMainActor)
  }

  func testSleep() async throws {
    for _ in 0..<3 { try await sleepOnMainActor() }
  }

  func testTimerOfTheLoop() async {
    let beats = Mainspring.RunLoop.main.base.ticks(every: .milliseconds(1))
    var count = 0
    for await _ in beats {
      count += 1
      if count == 3 { break }
    }
    XCTAssertEqual(count, 3)
  }

  func testMainQueue() async {
    let isOnMainThread = await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume(returning: Thread.isMainThread) }
    }
    XCTAssertTrue(isOnMainThread)
  }
}

final class SyncTests: XCTestCase {
  /// A test that waits, and so runs CFRunLoop, for what a block of the main loop does.
  func testExpectation() {
    let performed = expectation(description: "performed")
    Mainspring.RunLoop.main.base.perform(in: .default) { performed.fulfill() }
    wait(for: [performed], timeout: 20)
  }
}

@MainActor private func sleepOnMainActor() async throws {
  XCTAssertTrue(Thread.isMainThread)
  try await Task.sleep(for: .milliseconds(1))
  XCTAssertTrue(Thread.isMainThread)
}
