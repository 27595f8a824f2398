// What holds the loop up, a function a way. `variants.awk` puts these pieces in another order, moves their lines and renames
// what is called unrelated: none of it may change which issue a stall belongs to.
import Glibc
import Mainspring
import Synchronization

// PIECE
func unrelatedSum(_ numbers: [Int]) -> Int { numbers.reduce(0, +) }

// PIECE
@inline(never)
func crunch(_ watch: Watch) {
  var sum: UInt64 = 1
  while !watch.isSeen {
    var number: UInt64 = 0
    while number < 50_000 {
      sum = sum &* 19 &+ number
      number += 1
    }
  }
  watch.keep(sum)
}

// PIECE
@inline(never)
func waitForLock(_ watch: Watch) {
  watch.lock.withLock { $0 &+= 1 }
}

// PIECE
@inline(never)
func readSlowly(_ watch: Watch) {
  var byte: UInt8 = 0
  // SAFETY: one byte is read, and there is one.
  _ = unsafe read(watch.pipeEnd, &byte, 1)
}

// PIECE
@inline(never)
func nap(_ watch: Watch) {
  while !watch.isSeen { usleep(20_000) }
}

// PIECE
func unrelatedName(_ number: Int) -> String { "number \(number)" }

// PIECE
@inline(never)
func walkClosures(_ watch: Watch) {
  (0..<1).forEach { _ in
    let numbers = [1, 2, 3].map { UInt64($0) }
    var sum: UInt64 = 0
    while !watch.isSeen {
      for _ in 0..<10_000 { sum = numbers.reduce(sum) { $0 &* 31 &+ $1 } }
    }
    watch.keep(sum)
  }
}

// PIECE
@inline(never)
func hashAll<Element: Hashable>(_ elements: [Element], _ watch: Watch) {
  var hasher = Hasher()
  while !watch.isSeen {
    for _ in 0..<10_000 { for element in elements { hasher.combine(element) } }
  }
  watch.keep(UInt64(truncatingIfNeeded: hasher.finalize()))
}

// PIECE
@inline(__always)
private func squeeze(_ sum: UInt64) -> UInt64 {
  var sum = sum
  var number: UInt64 = 0
  while number < 50_000 {
    sum = sum &* 21 &+ number
    number += 1
  }
  return sum
}

// PIECE
@inline(never)
func press(_ watch: Watch) {
  var sum: UInt64 = 1
  while !watch.isSeen { sum = squeeze(sum) }
  watch.keep(sum)
}

// PIECE
@inline(never)
func descend(_ depth: Int, _ watch: Watch) {
  if depth > 0 { descend(depth - 1, watch) } else { crunchDeep(watch) }
  watch.keep(UInt64(depth))
}

// PIECE
@inline(never)
func crunchDeep(_ watch: Watch) {
  var sum: UInt64 = 1
  while !watch.isSeen {
    var number: UInt64 = 0
    while number < 50_000 {
      sum = sum &* 23 &+ number
      number += 1
    }
  }
  watch.keep(sum)
}

// PIECE
@inline(never)
func crunchInside(_ watch: Watch) {
  var sum: UInt64 = 1
  while !watch.isSeen {
    var number: UInt64 = 0
    while number < 50_000 {
      sum = sum &* 97 &+ number
      number += 1
    }
  }
  watch.keep(sum)
}

// PIECE
@inline(never)
func sortInC(_ watch: Watch) {
  var numbers = (0..<UInt32(20_000)).map { $0 &* 2_654_435_761 }
  while !watch.isSeen {
    // SAFETY: the elements are of the size that is given, and the comparison reads two of them.
    unsafe qsort(&numbers, numbers.count, 4) { one, other in
      guard let one = unsafe one, let other = unsafe other else { return 0 }
      let numbers = unsafe (one.load(as: UInt32.self) &* 7919, other.load(as: UInt32.self) &* 7919)
      return numbers.0 < numbers.1 ? -1 : 1
    }
  }
  watch.keep(UInt64(numbers[0]))
}

// PIECE
struct Index {
  var sum: UInt64 = 0

  @inline(never)
  mutating func update(_ watch: Watch) {
    while !watch.isSeen {
      var number: UInt64 = 0
      while number < 50_000 {
        sum = sum &* 25 &+ number
        number += 1
      }
    }
    watch.keep(sum)
  }
}

// PIECE
actor Store {
  nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(on executor: any SerialExecutor) { self.executor = executor }

  @inline(never)
  func reindex(_ watch: Watch) async {
    await Task.yield()
    var sum: UInt64 = 1
    while !watch.isSeen {
      var number: UInt64 = 0
      while number < 50_000 {
        sum = sum &* 27 &+ number
        number += 1
      }
    }
    watch.keep(sum)
  }
}

// PIECE
@inline(never)
func observe(_ watch: Watch) {
  var sum: UInt64 = 1
  while !watch.isSeen {
    var number: UInt64 = 0
    while number < 50_000 {
      sum = sum &* 29 &+ number
      number += 1
    }
  }
  watch.keep(sum)
}

// PIECE
@inline(never)
func serve(_ watch: Watch) {
  var sum: UInt64 = 1
  while !watch.isSeen {
    var number: UInt64 = 0
    while number < 50_000 {
      sum = sum &* 31 &+ number
      number += 1
    }
  }
  watch.keep(sum)
}

// PIECE
func unrelatedLast() -> Int { unrelatedSum([1, 2, 3]) + unrelatedName(4).count }
