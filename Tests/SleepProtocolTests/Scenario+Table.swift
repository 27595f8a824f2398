import Glibc

extension Scenario {
  /// Few enough states for one exploration for each fault; the smallest first.
  static let small: [Scenario] =
    crossed(posts: [[.default]], sleeps: [[.word], [.descriptor], [.host]])
    + crossed(posts: [[.default, .default]], sleeps: [[.word, .word], [.descriptor, .descriptor]])
    + crossed(
      posts: [[.default, .tracking], [.common, .tracking]],
      sleeps: [[.descriptor, .trackingWord, .descriptor]])

  /// Explored by every run of the tests.
  ///
  /// One entry a poster is enough: of posters that do not wait for each other, one may well come wholly
  /// after another, and none leaves a store in its buffer.
  static let usual: [Scenario] =
    small
    + crossed(posts: [[.default], [.default, .default]], sleeps: [[]])
    + crossed(
      posts: [[.default, .default, .default]],
      sleeps: [[.word], [.word, .word], [.descriptor], [.descriptor, .descriptor]])
    + crossed(
      posts: [[.tracking], [.tracking, .tracking], [.all, .tracking]],
      sleeps: [
        [.descriptor, .trackingWord, .descriptor], [.word, .trackingDescriptor, .word],
        [.descriptor, .trackingDescriptor, .descriptor],
      ])
    // Hosted, with runs of the loop's own between two turns.
    + crossed(
      posts: [[.default, .default], [.all, .tracking]],
      sleeps: [[.host, .host], [.host, .trackingWord, .host], [.host, .trackingDescriptor, .host]])
    + crossed(
      posts: [[.default, .tracking, .common]], sleeps: [[.descriptor, .trackingWord]], looks: [.peeks])

  /// Explored where there is time.
  static let long: [Scenario] =
    crossed(
      posts: [[.default, .default, .default]],
      sleeps: [[.word, .word, .word], [.descriptor, .descriptor, .descriptor]])
    + crossed(
      posts: [[.default, .tracking, .common], [.tracking, .tracking, .all]],
      sleeps: [
        [.descriptor, .trackingWord, .descriptor], [.word, .trackingDescriptor, .word],
        [.descriptor, .trackingDescriptor, .descriptor],
      ])

  /// What this run of the tests explores: `MAINSPRING_LONG=1` adds the long ones.
  static let chosen: [Scenario] = usual + (isLongRun ? long : [])

  static let isLongRun: Bool = {
    // SAFETY: the name is a literal, and nothing in the tests changes the environment.
    guard let value = unsafe getenv("MAINSPRING_LONG") else { return false }
    return unsafe value.pointee == UInt8(ascii: "1")
  }()

  private static func crossed(
    posts: [[Post]], sleeps: [[Sleep]], endsEarly: [Bool] = [false, true],
    looks: [Look] = [.locks, .peeks]
  ) -> [Scenario] {
    var scenarios: [Scenario] = []
    for posts in posts {
      for sleeps in sleeps {
        for endsEarly in endsEarly {
          for look in looks {
            scenarios.append(Scenario(posts: posts, sleeps: sleeps, endsEarly: endsEarly, look: look))
          }
        }
      }
    }
    return scenarios
  }
}
