package import Glibc
package import Grid
import Synchronization

/// A watched loop, ready to be stalled in each of the places that it has.
package protocol Stage: AnyObject, Sendable {
  var name: LoopName { get }
  /// Of the loop's thread, for signals; nil where the loop has none of its own.
  var thread: pthread_t? { get }

  /// What the log calls the loop that the injection is made on.
  func loop(of injection: Injection) -> String
  /// Makes the loop ready for the cell's injections.
  func prepare(_ cell: Cell)
  /// Undoes that.
  func tidy()
  /// Sets the injection off, some time soon.
  func trigger(_ injection: Injection)
  /// The injection is still to come: what was to set it off may have been missed.
  func remind(of injection: Injection)
}

extension Stage {
  package var thread: pthread_t? { nil }
  package func loop(of injection: Injection) -> String { "\(name)" }
  package func prepare(_ cell: Cell) {}
  package func tidy() {}
  package func remind(of injection: Injection) {}
}

/// The injection that is meant for the item which is called next in its place. Any thread.
package final class Armed: Sendable {
  private let injection = Mutex<Injection?>(nil)

  package init() {}

  package func set(_ injection: Injection) { self.injection.withLock { $0 = injection } }

  package func take(_ place: Place) -> Injection? {
    injection.withLock { injection in
      guard injection?.cell.place == place else { return nil }
      defer { injection = nil }
      return injection
    }
  }

  package func holds(_ injection: Injection) -> Bool { self.injection.withLock { $0 === injection } }
}

/// A stall of many short items that were all there at once.
package enum Backlog {
  private static let item: UInt64 = 5_000_000

  package static func items(of injection: Injection) -> [@Sendable () -> Void] {
    let count = Int(max(1, injection.length / item))
    return (0..<count).map { number in
      {
        if number == 0 { injection.begin() }
        _ = shortItem(item)
        if number == count - 1 { injection.finish() }
      }
    }
  }
}

/// A loop that always has something to do.
package enum Saturation {
  private static let item: UInt64 = 2_000_000

  /// Does one item of it, and says whether there is another one to come. On the loop's thread.
  package static func continues(_ injection: Injection) -> Bool {
    if injection.itemsDone == 0 { injection.begin() }
    _ = signalledAgain(item)
    injection.itemsDone += 1
    let continues = (injection.itemsDone + 1) * item <= injection.length
    if !continues { injection.finish() }
    return continues
  }
}
