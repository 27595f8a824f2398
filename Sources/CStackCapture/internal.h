// Shared between the C files of this target only.
#pragma once

#include "CStackCapture.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <ucontext.h>

/// One system call, without libc: nothing is bound lazily, errno stays as it is. The kernel's answer as it gives it.
static inline long ms_raw_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long answer;
    __asm__ volatile("syscall" : "=a"(answer) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
        : "rcx", "r11", "memory");
    return answer;
#else
    (void)number, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    return -38; // ENOSYS
#endif
}

/// As `ms_safe_read`, but answers minus an error number, and calls nothing of libc. In the handler.
long ms_raw_read(uint64_t address, void *to, size_t count);

/// This process; a forked child sets its own.
extern pid_t ms_own_process;

/// Opens what the handler needs. Once, before the first capture. Returns 0 or an error number.
int ms_safe_read_prepare(void);

/// Finds the places in libc where a call that reports EINTR returns to. Once, before the first capture.
void ms_call_sites_learn(void);

/// Remembers the place where a thread sleeps in `number`, if the code before it agrees.
void ms_call_sites_add(uint64_t program_counter, int64_t number);

/// Steps an interrupted call back onto its `syscall` instruction, so that the program sees no EINTR.
/// `request` may be NULL. In the handler. Says whether it did.
bool ms_restart_interrupted_call(ucontext_t *context, const ms_capture_request *request);

/// The part of a capture that runs on the target. `slot` is what the signal carried; not trusted.
/// Says whether the signal was one of ours.
bool ms_capture_in_handler(const siginfo_t *info, ucontext_t *context);

/// CLOCK_MONOTONIC, ns, without libc.
uint64_t ms_monotonic_now(void);

/// Takes what it needs of a thread that stands still: its registers and its thread pointer. Calls nothing of libc.
typedef void (*ms_stopped_copy)(void *argument, const uint64_t *registers, uint64_t thread_pointer);

/// Stops a thread as a debugger would, calls `copy` on a helper that shares this process's memory, and lets it go.
/// Returns 0 or an error number: EPERM where tracing is forbidden, ETIMEDOUT.
int ms_stop_and_copy(int32_t thread, uint64_t deadline, ms_stopped_copy copy, void *argument);
