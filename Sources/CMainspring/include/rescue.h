// Holding a process that has crashed, for a bounded time: the library's own.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// What is known of a crash.
typedef struct ms_crash {
    int32_t signal;
    /// As siginfo's `si_code`: above zero if the processor or the kernel found the fault.
    int32_t code;
    /// The kernel's number of the thread that crashed.
    int32_t thread;
    /// What was touched, or executed, as siginfo's `si_addr`; 0 for a signal that was sent.
    uint64_t address;
    /// By their DWARF numbers, the last being the program counter; of x86-64 only, elsewhere 0.
    uint64_t registers[17];
    /// When it happened, on the monotonic clock.
    uint64_t nanoseconds;
} ms_crash;

/// Installs a handler for each of the signals, and starts the thread that keeps the bound.
///
/// - note: called with the context in the handler first of all, if it is `loop_thread` that crashed.
/// - run: called with the context on `loop_thread`, in the handler, if that crashed, or where it calls `exit` while a crash is
///   on: everything but returning soon after `ms_rescue_finish` is up to it.
///
/// Gives an error number; EBUSY if there is one already. `*number` becomes the rescue's own.
int ms_rescue_install(
    const int32_t *signals, int count, int64_t limit_nanoseconds, int32_t loop_thread, void (*note)(void *),
    void (*run)(void *), void *context, uint64_t *number);

/// Puts the handlers back that were there, where nobody has replaced ours, and ends the thread. Gives 0 if a crash is on, or it
/// is removed already: then nothing is changed.
int ms_rescue_remove(uint64_t number);

/// Gives the calling thread a stack for signals of so many bytes, unless it has one that is as large or is on it.
int ms_rescue_prepare_stack(size_t bytes);

/// Waits until there is a crash, and gives it; NULL once the rescue of this number is removed.
const ms_crash *ms_rescue_wait(uint64_t number);

/// The crashed thread goes on to its end. At any moment, on any thread.
void ms_rescue_finish(void);

int ms_rescue_is_finished(void);
