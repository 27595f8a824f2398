import Testing

@testable import Mainspring

/// Which sleeps have a look before them.
@Suite struct SpinPolicyTests {
  /// How many of so many sleeps had a look, where each finds work as `pays` says of its number.
  private func looks(
    _ policy: inout SpinPolicy, in sleeps: Int, paying pays: (Int) -> Bool = { _ in false }
  ) -> Int {
    var looks = 0
    for _ in 0..<sleeps where policy.isDue() {
      looks += 1
      policy.note(paid: pays(looks))
    }
    return looks
  }

  @Test func `M50: looks that pay are made before every sleep`() {
    var policy = SpinPolicy(limit: 30_000)
    #expect(looks(&policy, in: 1000) { _ in true } == 1000)
  }

  @Test func `M50: looks that pay now and then are made before every sleep`() {
    var policy = SpinPolicy(limit: 30_000)
    #expect(looks(&policy, in: 1000) { $0.isMultiple(of: 10) || $0 == 1 } == 1000)
  }

  @Test func `M50: looks that never pay are made before one in a hundred sleeps at most`() {
    var policy = SpinPolicy(limit: 30_000)
    #expect((1...100).contains(looks(&policy, in: 10_000)))
    #expect((1...10).contains(looks(&policy, in: 1000)))
  }

  @Test func `M50: looks that do not pay any more are given up after a few`() {
    var policy = SpinPolicy(limit: 30_000)
    _ = looks(&policy, in: 1000) { _ in true }
    #expect((1...40).contains(looks(&policy, in: 1000)))
  }

  @Test func `M50: a trial that pays brings the looks back`() {
    var policy = SpinPolicy(limit: 30_000)
    _ = looks(&policy, in: 10_000)
    let found = looks(&policy, in: 1000) { _ in true }
    #expect(found >= 800)
  }

  @Test func `M50: rings from the loop's own processor bring no trial nearer, and end looks that failed`() {
    var policy = SpinPolicy(limit: 30_000)
    policy.note(paid: true)
    policy.note(paid: false)
    policy.noteRingFromHere()
    var looks = 0
    for _ in 0..<1000 {
      if policy.isDue() {
        looks += 1
        policy.note(paid: false)
      }
      policy.noteRingFromHere()
    }
    #expect(looks == 0)
  }

  @Test func `M50: only a trial has to ask whether others can run`() {
    var policy = SpinPolicy(limit: 30_000)
    #expect(policy.isTrial)
    policy.note(paid: true)
    #expect(!policy.isTrial)
  }
}
