extension Model {
  enum Activity: UInt8 {
    case entry = 1, beforeTimers = 2, beforeSources = 4, beforeWaiting = 8, afterWaiting = 16, exit = 32
  }

  final class Item {
    let number: Int
    var order = 0
    var isSource = false
    var isTimer = false
    var activities: UInt8 = 0
    var repeats = true
    var interval: Int?
    var isRearmable = false
    let call: (String) -> Void
    let tell: (String) -> Void

    /// The modes that it is served in, with its place among equals there: when it was added or armed.
    var modes: [String: Int] = [:]
    /// Whether it joins modes that become common, and since when.
    var joinsSince: Int?
    /// Whether it was taken out of single ones of the common modes.
    var isExcepted = false
    var belongsToLoop = false
    var isValid = true
    var isInCallout = false

    var isSignalled = false
    var signalNumber = 0

    var date: Int?
    var isArmed = false
    var isFiring = false
    var dateWasSet = false

    init(number: Int, call: @escaping (String) -> Void, tell: @escaping (String) -> Void) {
      self.number = number
      self.call = call
      self.tell = tell
    }
  }

  struct Block {
    let number: Int
    let modes: [String]
    let body: () -> Void
  }

  final class Run {
    let mode: String
    let deadline: Int?
    let isSinglePass: Bool
    let returnsAfterSource: Bool
    let waitsWhenEmpty: Bool
    let passesOverStops: Bool
    var isStopped = false
    var hasHandledSource = false
    var stopsPassedOver = 0
    var busyPasses = 0
    var busySince: Int?
    var due: [(timer: Item, number: Int)] = []
    var dueSince = 0

    init(
      mode: String, deadline: Int?, isSinglePass: Bool, returnsAfterSource: Bool, waitsWhenEmpty: Bool,
      passesOverStops: Bool
    ) {
      self.mode = mode
      self.deadline = deadline
      self.isSinglePass = isSinglePass
      self.returnsAfterSource = returnsAfterSource
      self.waitsWhenEmpty = waitsWhenEmpty
      self.passesOverStops = passesOverStops
    }
  }
}
