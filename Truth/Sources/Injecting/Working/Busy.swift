import Glibc

// Each of these is one function of its own, never inlined, that does its work itself between looks at the clock, and
// reads the clock itself: the kernel likes to take the processor away in that call, and a function of ours for it would
// be the culprit then, and rightly. What they compute is given back, lest it be left out.
//
// The clock is that of the thread's own time on a processor: what a function is meant to do is no less for what is taken
// from the thread meanwhile.

@inline(never)
func spin(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var value: UInt64 = 88_172_645_463_325_252
  repeat {
    for _ in 0..<20000 {
      value ^= value << 13
      value ^= value >> 7
      value ^= value << 17
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return value
}

@inline(never)
func stormMalloc(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var held = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
  var count: UInt64 = 0
  repeat {
    for turn in 0..<640 {
      let slot = turn & 63
      free(held[slot])
      held[slot] = malloc(16 &+ slot &* 48)
      held[slot]?.storeBytes(of: count, as: UInt64.self)
      count &+= 1
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  for slot in held { free(slot) }
  return count
}

@inline(never)
func fillDictionary(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var words: [Int: Int] = [:]
  var key = 1
  repeat {
    for _ in 0..<600 {
      key = (key &* 48271) % 0x7FFF_FFFF
      words[key % 5000, default: 0] += key
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return UInt64(words.count)
}

@inline(never)
func joinStrings(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var count = 0
  repeat {
    var text = ""
    for number in 0..<40 { text += "item \(number), " }
    count &+= text.split(separator: ",").count
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return UInt64(count)
}

/// Works at the bottom of so many calls of itself.
@inline(never)
func recurseDeeply(_ length: UInt64, depth: Int = 300) -> UInt64 {
  if depth > 0 { return recurseDeeply(length, depth: depth - 1) &+ UInt64(depth) }
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var value: UInt64 = 3
  repeat {
    for step in 0..<20000 as Range<UInt64> { value = (value ^ step) &* 0x9E37_79B9 &+ (value >> 11) }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return value
}

@inline(never)
func touchFreshPages(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var pages: UInt64 = 0
  let size = 8 << 20
  repeat {
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { return pages }
    for offset in stride(from: 0, to: size, by: 4096) {
      memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
      pages &+= 1
    }
    munmap(memory, size)
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return pages
}

@inline(never)
func lookUpLiteral(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var count: UInt64 = 0
  repeat {
    var list: UnsafeMutablePointer<addrinfo>?
    if getaddrinfo("127.0.0.1", "80", nil, &list) == 0 { freeaddrinfo(list) }
    count &+= 1
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return count
}

/// The first is to blame, and the second is what a single late look would see.
@inline(never)
func inTwoParts(_ length: UInt64) -> UInt64 {
  let first = heavyPart(length / 10 * 7)
  return first &+ lightPart(length / 10 * 3)
}

@inline(never)
func heavyPart(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var value: UInt64 = 7
  repeat {
    for step in 1..<6000 as Range<UInt64> { value = value &+ (value / step) ^ 0x5555 }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return value
}

@inline(never)
func lightPart(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var value = 1.0
  repeat {
    for step in 1..<6000 { value = (value + Double(step)).squareRoot() }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return UInt64(value)
}

/// One of many that only together are long.
@inline(never)
func shortItem(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var value: UInt64 = 11
  repeat {
    for step in 0..<20000 as Range<UInt64> { value = (value &+ step) ^ (value << 3) }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return value
}

/// What a source does that signals itself again and again.
@inline(never)
func signalledAgain(_ length: UInt64) -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  let end = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec &+ Int(length)
  var value: UInt64 = 13
  repeat {
    for step in 0..<20000 as Range<UInt64> { value = value &* 31 &+ (step ^ value >> 5) }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  } while time.tv_sec &* 1_000_000_000 &+ time.tv_nsec < end
  return value
}
