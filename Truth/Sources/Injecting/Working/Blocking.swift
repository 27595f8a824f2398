import CHostility
import Glibc
import Synchronization

// As the busy ones: each waits itself, by a call of the system's, and does something after it.

@inline(never)
func sleepInSlices(_ length: UInt64) -> UInt64 {
  var (wanted, rest) = (timespec(nanoseconds: length), timespec())
  var interruptions: UInt64 = 0
  while nanosleep(&wanted, &rest) != 0, errno == EINTR {
    wanted = rest
    interruptions += 1
  }
  return interruptions
}

/// A signal ends it early.
@inline(never)
func sleepOnce(_ length: UInt64) -> UInt64 {
  let result = usleep(UInt32(length / 1000))
  return result == 0 ? 0 : 1
}

/// So many sleeps of a millisecond: being stopped makes it no shorter.
@inline(never)
func sleepOwnSlices(_ length: UInt64) -> UInt64 {
  var count: UInt64 = 0
  var slept: UInt64 = 0
  while slept < length {
    let before = Clock.now()
    var slice = timespec(nanoseconds: 1_000_000)
    nanosleep(&slice, nil)
    slept += min(Clock.now() - before, 2_000_000)
    count += 1
  }
  return count
}

/// A signal ends it early.
@inline(never)
func pollForNothing(_ length: UInt64) -> UInt64 {
  let result = poll(nil, 0, Int32(length / 1_000_000))
  return result == 0 ? 0 : 1
}

@inline(never)
func waitForLock(_ accomplice: Accomplice) -> UInt64 {
  accomplice.begun.post()
  let result = pthread_mutex_lock(accomplice.lock)
  pthread_mutex_unlock(accomplice.lock)
  return UInt64(result)
}

@inline(never)
func waitInCircle(_ accomplice: Accomplice) -> UInt64 {
  pthread_mutex_lock(accomplice.other)
  accomplice.begun.post()
  let result = pthread_mutex_lock(accomplice.lock)
  pthread_mutex_unlock(accomplice.lock)
  pthread_mutex_unlock(accomplice.other)
  return UInt64(result)
}

@inline(never)
func waitForSwiftMutex(_ accomplice: Accomplice) -> UInt64 {
  accomplice.begun.post()
  return accomplice.mutex.withLock { count in
    count &+= 1
    return count
  }
}

@inline(never)
func readFromPipe(_ accomplice: Accomplice) -> UInt64 {
  accomplice.begun.post()
  var byte: UInt8 = 0
  while read(accomplice.pipe.read, &byte, 1) < 0, errno == EINTR {}
  return UInt64(byte)
}

@inline(never)
func waitForCondition(_ accomplice: Accomplice) -> UInt64 {
  var turns: UInt64 = 0
  pthread_mutex_lock(accomplice.lock)
  accomplice.begun.post()
  while !accomplice.isMet {
    pthread_cond_wait(accomplice.condition, accomplice.lock)
    turns += 1
  }
  accomplice.isMet = false
  pthread_mutex_unlock(accomplice.lock)
  return turns
}

@inline(never)
func syncFile(_ length: UInt64, _ file: CInt) -> UInt64 {
  let end = Clock.now() + length
  var bytes = [UInt8](repeating: 1, count: 65536)
  var count: UInt64 = 0
  repeat {
    bytes[0] &+= 1
    _ = pwrite(file, bytes, bytes.count, 0)
    fsync(file)
    count += 1
  } while Clock.now() < end
  return count
}

@inline(never)
func waitForChild(_ length: UInt64) -> UInt64 {
  let child = fork_sleeper(CInt(length / 1_000_000))
  guard child > 0 else { return 1 }
  var status: CInt = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  return UInt64(UInt32(bitPattern: status))
}

/// Two milliseconds of work and two of sleep, in turn.
@inline(never)
func alternateWorkAndSleep(_ length: UInt64) -> UInt64 {
  let end = Clock.now() + length
  var value: UInt64 = 17
  repeat {
    let pause = Clock.now() + 2_000_000
    repeat {
      for step in 0..<4000 as Range<UInt64> { value = (value << 1) ^ (value >> 9) &+ step }
    } while Clock.now() < pause
    var rest = timespec(nanoseconds: 2_000_000)
    nanosleep(&rest, nil)
  } while Clock.now() < end
  return value
}
