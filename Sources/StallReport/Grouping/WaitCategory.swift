/// What a blocked thread waits for, however its C library enters the kernel.
enum WaitCategory: String {
  case lock = "<lock>"
  case sleep = "<sleep>"
  case fileIO = "<file-io>"
  case networkIO = "<net-io>"
  case memory = "<malloc>"
  case process = "<child>"

  /// The category of a C function by its normalised name, or `nil` if it does not wait.
  init?(function: String) {
    // Underscores in front mark the library's own aliases: __nanosleep, __GI___libc_read.
    var name = Substring(function)
    for prefix in ["__GI_", "__libc_", "__"] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count)
    }
    name = name.drop { $0 == "_" }
    if name.hasPrefix("libc_") { name = name.dropFirst(5) }
    guard let category = Self.functions[String(name)] else { return nil }
    self = category
  }

  private static let names: [(WaitCategory, [String])] = [
    (
      .lock,
      [
        "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_cond_wait", "pthread_cond_timedwait",
        "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "lll_lock_wait", "lll_lock_wait_private",
        "futex_wait", "futex_abstimed_wait_common", "sem_wait", "sem_timedwait", "pthread_join",
        "pthread_clockjoin_ex", "MutexHandle._lockSlow(_:)", "semaphore_wait_trap", "dispatch_semaphore_wait",
        "dispatch_group_wait",
      ]
    ),
    (.sleep, ["nanosleep", "clock_nanosleep", "usleep", "sleep", "pause"]),
    (
      .fileIO,
      [
        "read", "pread", "pread64", "readv", "preadv", "write", "pwrite", "pwrite64", "writev", "pwritev",
        "open", "open64", "openat", "openat64", "close", "fsync", "fdatasync", "msync", "sync", "syncfs",
        "stat", "fstat", "lstat", "fstatat64", "rename", "unlink", "getdents64", "flock", "fcntl",
        "fcntl64", "sendfile", "copy_file_range", "fallocate",
      ]
    ),
    (
      .networkIO,
      [
        "recv", "recvfrom", "recvmsg", "send", "sendto", "sendmsg", "connect", "accept", "accept4", "poll",
        "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "epoll_pwait2", "getaddrinfo",
      ]
    ),
    (.memory, ["malloc", "calloc", "realloc", "free", "mmap", "mmap64", "munmap", "madvise", "brk", "sbrk"]),
    (.process, ["wait", "wait4", "waitpid", "waitid", "system", "posix_spawn", "vfork"]),
  ]

  private static let functions: [String: WaitCategory] = {
    var table: [String: WaitCategory] = [:]
    for (category, functions) in names {
      for function in functions { table[function] = category }
    }
    return table
  }()
}
