// Functions that nest and are inlined, as the Swift compiler describes them.
@inline(__always) func innermost(_ n: Int) -> Int { n &* 3 &+ 1 }

@inline(__always) func middle(_ n: Int) -> Int { innermost(n) &+ innermost(n &+ 1) }

@inline(never) public func outer(_ n: Int) -> Int {
  func local(_ n: Int) -> Int { middle(n) ^ 5 }
  return n > 4 ? local(n) : middle(n &- 1)
}
