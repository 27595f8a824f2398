import Mainspring
import Testing

@Suite struct SleepCodeTests {
  private func code(_ mode: RunLoop.Mode, isCommon: Bool = false) -> SleepCode {
    SleepCode(mode: mode, isCommon: isCommon, usesDescriptor: false)
  }

  @Test func `M18: a sleeper is concerned by its own mode, by common ones if it sleeps in one, by all`() {
    let other: RunLoop.Mode = "a mode of its own"
    #expect(code(.default).isConcerned(by: ModeMask(.default)))
    #expect(!code(.default).isConcerned(by: ModeMask(.tracking)))
    #expect(!code(.default).isConcerned(by: ModeMask(.common)))
    #expect(code(.default, isCommon: true).isConcerned(by: ModeMask(.common)))
    #expect(!code(other).isConcerned(by: ModeMask(.default)))
    #expect(code(other).isConcerned(by: ModeMask(other)))
    for mode in [RunLoop.Mode.default, .tracking, .initialization, other] {
      #expect(code(mode).isConcerned(by: .all))
      #expect(!code(mode, isCommon: true).isConcerned(by: .none))
      #expect(!SleepCode.awake.isConcerned(by: ModeMask(mode)))
    }
    #expect(!SleepCode.awake.isConcerned(by: .all))
  }

  @Test func `M18: a mask of several modes concerns a sleeper in each of them`() {
    var mask = ModeMask(.tracking)
    mask.formUnion(ModeMask(.default))
    #expect(code(.default).isConcerned(by: mask))
    #expect(code(.tracking).isConcerned(by: mask))
    #expect(!code(.initialization).isConcerned(by: mask))
    #expect(!mask.includesCommon)
    mask.formUnion(ModeMask(.common))
    #expect(mask.includesCommon)
    #expect(code("whatever", isCommon: true).isConcerned(by: mask))
  }

  @Test func `M18: modes beyond those that have a bit of their own are never missed`() {
    let modes = (0..<200).map { RunLoop.Mode("mode \($0) of many") }
    for mode in modes {
      #expect(code(mode).isConcerned(by: ModeMask(mode)))
      #expect(!ModeMask(mode).includesCommon)
    }
  }

  @Test func `the parts of a code do not disturb each other`() {
    let word = SleepCode(mode: .default, isCommon: false, usesDescriptor: false)
    let descriptor = SleepCode(mode: .default, isCommon: false, usesDescriptor: true)
    #expect(word.isAsleep && descriptor.isAsleep && !SleepCode.awake.isAsleep)
    #expect(!word.usesDescriptor && descriptor.usesDescriptor)
    #expect(descriptor.isConcerned(by: ModeMask(.default)))
    #expect(word.rawValue != SleepCode.awake.rawValue)
  }
}
