// Calls that Swift's Glibc keeps from Swift, and what a signal handler must be written in C for.
#pragma once

#include <errno.h>
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

#include "CMainspring.h"

/// Lets SIGUSR1 stop every run of the loop, and SIGUSR2 wake it; each handler leaves errno to what it calls.
void test_signals_use(mainspring_loop *loop);

/// What errno is after a handler has run that found it to be `number`.
int test_errno_after(int signal, int number);

/// Writes where nothing may be written, in the compiler's sight.
void test_write_to(void *address);

/// Calls itself until there is no stack left.
void test_overflow_stack(void);

/// Handles a signal, and gives it to whoever had it before.
void test_take_over(int signal);

/// Prints a line as a handler may.
void test_write_line(const char *line);

/// Spins in a function that is inlined into this one, until the word is not zero.
void test_spin_around(const volatile uint32_t *over);
