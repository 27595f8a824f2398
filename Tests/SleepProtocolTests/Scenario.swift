import Mainspring

/// What a run of the explorer is about: who posts what, and how the loop sleeps.
struct Scenario {
  /// What each poster posts, one entry a poster.
  var posts: [Post]
  /// The sleeps that the loop waits through before it ends; an announced sleep that is called off does not
  /// count.
  var sleeps: [Sleep]
  /// Whether a wait may end by itself at any time, as by a deadline or a signal.
  var endsEarly = false
  var look = Look.locks

  /// How the loop looks at the inbox after it announced its sleep.
  enum Look: String {
    /// Takes the inbox's lock.
    case locks
    /// Takes the inbox's lock only if a plain load finds the inbox not empty.
    case peeks
  }
}

/// For whom an entry is.
enum Post: String {
  case `default`, tracking, common, all

  var modes: ModeMask {
    switch self {
    case .default: ModeMask(.default)
    case .tracking: ModeMask(.tracking)
    case .common: ModeMask(.common)
    case .all: .all
    }
  }

  /// Said here once more, independently of the masks and codes under test.
  func concerns(_ sleep: Sleep) -> Bool {
    switch self {
    case .default: sleep.mode == .default
    case .tracking: sleep.mode == .tracking
    case .common: sleep.isCommon
    case .all: true
    }
  }
}

/// A sleep of the loop: in which mode, on what. The default mode is common, the tracking mode is not.
struct Sleep {
  enum Mode: Int { case `default`, tracking }
  enum Medium {
    case word, descriptor
    /// A host waits for the descriptor.
    case host
  }

  let mode: Mode
  let medium: Medium

  var isCommon: Bool { mode == .default }

  var code: SleepCode {
    SleepCode(
      mode: mode == .default ? .default : .tracking, isCommon: isCommon,
      usesDescriptor: medium != .word)
  }

  static let word = Sleep(mode: .default, medium: .word)
  static let descriptor = Sleep(mode: .default, medium: .descriptor)
  static let host = Sleep(mode: .default, medium: .host)
  static let trackingWord = Sleep(mode: .tracking, medium: .word)
  static let trackingDescriptor = Sleep(mode: .tracking, medium: .descriptor)
}

extension Scenario: CustomStringConvertible {
  var description: String {
    let posts = posts.map(\.rawValue).joined(separator: "+")
    let sleeps = sleeps.map(\.description).joined(separator: ", ")
    let waits = endsEarly ? ", waits end early" : ""
    return "posts \(posts); sleeps \(sleeps.isEmpty ? "none" : sleeps)\(waits); look \(look.rawValue)"
  }
}

extension Sleep: CustomStringConvertible {
  var description: String { "\(mode)/\(medium)" }
}
