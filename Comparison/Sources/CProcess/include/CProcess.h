// What Swift's Glibc module leaves out or marks as unavailable. Declarations and short functions only.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// fork, which Swift does not offer: what a child may do after it is what one scenario is about.
static inline pid_t process_fork(void) { return fork(); }

/// A descriptor that is readable once the process has ended, or -1.
static inline int process_descriptor(pid_t process) { return (int)syscall(434, process, 0); }

/// A pipe that a started process does not inherit and whose reader never waits: 0, or -1.
static inline int process_pipe(int ends[2]) {
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) | fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

/// A counter of the kernel's that nobody blocks on; its descriptor, or -1.
static inline int process_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/// Ends this process with its parent, and without a file of its memory if it crashes, as some sides do.
static inline void process_begin_side(void) {
    struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
}
