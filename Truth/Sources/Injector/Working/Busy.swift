import Glibc

// Each of these is one function of its own, never inlined, that does its work itself between looks at the clock: where
// a sample meets it, it is the culprit. What they compute is given back, lest it be left out.

@inline(never)
func spinOnClock(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var value: UInt64 = 88_172_645_463_325_252
  repeat {
    for _ in 0..<4000 {
      value ^= value << 13
      value ^= value >> 7
      value ^= value << 17
    }
  } while Clock.now() < end
  return value
}

/// Until it has had so much of a processor: being stopped makes it no shorter.
@inline(never)
func spinOwnTime(_ length: UInt64) -> UInt64 {
  let end = Clock.own() + length
  var value: UInt64 = 1
  repeat {
    for step in 0..<6000 as Range<UInt64> { value = value &* 6_364_136_223_846_793_005 &+ step }
  } while Clock.own() < end
  return value
}

@inline(never)
func stormMalloc(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var held = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
  var count: UInt64 = 0
  repeat {
    for slot in 0..<64 {
      free(held[slot])
      held[slot] = malloc(16 &+ slot &* 48)
      held[slot]?.storeBytes(of: count, as: UInt64.self)
      count &+= 1
    }
  } while Clock.now() < end
  for slot in held { free(slot) }
  return count
}

@inline(never)
func fillDictionary(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var words: [Int: Int] = [:]
  var key = 1
  repeat {
    for _ in 0..<64 {
      key = (key &* 48271) % 0x7FFF_FFFF
      words[key % 5000, default: 0] += key
    }
  } while Clock.now() < end
  return UInt64(words.count)
}

@inline(never)
func joinStrings(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var count = 0
  repeat {
    var text = ""
    for number in 0..<40 { text += "item \(number), " }
    count &+= text.split(separator: ",").count
  } while Clock.now() < end
  return UInt64(count)
}

/// Works at the bottom of so many calls of itself.
@inline(never)
func recurseDeeply(_ length: UInt64, depth: Int = 300) -> UInt64 {
  if depth > 0 { return recurseDeeply(length, depth: depth - 1) &+ UInt64(depth) }
  let end = Clock.now() + length
  var value: UInt64 = 3
  repeat {
    for step in 0..<5000 as Range<UInt64> { value = (value ^ step) &* 0x9E37_79B9 &+ (value >> 11) }
  } while Clock.now() < end
  return value
}

@inline(never)
func touchFreshPages(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
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
  } while Clock.now() < end
  return pages
}

@inline(never)
func lookUpLiteral(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var count: UInt64 = 0
  repeat {
    var list: UnsafeMutablePointer<addrinfo>?
    if getaddrinfo("127.0.0.1", "80", nil, &list) == 0 { freeaddrinfo(list) }
    count &+= 1
  } while Clock.now() < end
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
  let end = Clock.now() + length
  var value: UInt64 = 7
  repeat {
    for step in 1..<3000 as Range<UInt64> { value = value &+ (value / step) ^ 0x5555 }
  } while Clock.now() < end
  return value
}

@inline(never)
func lightPart(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var value = 1.0
  repeat {
    for step in 1..<3000 { value = (value + Double(step)).squareRoot() }
  } while Clock.now() < end
  return UInt64(value)
}

/// One of many that only together are long.
@inline(never)
func shortItem(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var value: UInt64 = 11
  repeat {
    for step in 0..<4000 as Range<UInt64> { value = (value &+ step) ^ (value << 3) }
  } while Clock.now() < end
  return value
}

/// What a source does that signals itself again and again.
@inline(never)
func signalledAgain(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var value: UInt64 = 13
  repeat {
    for step in 0..<4000 as Range<UInt64> { value = value &* 31 &+ (step ^ value >> 5) }
  } while Clock.now() < end
  return value
}
