// Calls that Swift's Glibc keeps from Swift and that a test of a forked child cannot do without.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

static inline pid_t test_fork(void) {
    return fork();
}

/// How a child ended: its exit code, or minus the signal that ended it. Waits for it.
static inline int test_wait(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1000;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
