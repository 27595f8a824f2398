/// Every operation that is counted, in the order of the table.
enum Operations {
  static let all: [Operation] =
    posting + waking + sources + timers + descriptors + passes + beforeWaiting + executors + loops

  static func named(_ name: String) -> Operation? { all.first { $0.name == name } }
}
