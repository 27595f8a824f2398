// What must be C in taking another thread's stack: a signal handler, and the memory that it writes.
//
// The handler copies registers and raw stack and returns; everything that can be done later (unwinding,
// names, /proc) is done elsewhere, from the copy. Nothing here allocates or locks while a target runs in it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The registers that are copied, in DWARF's numbering for x86-64: 0…15 general, 16 the program counter.
enum { MS_REGISTER_COUNT = 17 };

/// The most bytes of a stack that one capture can hold, from the stack pointer on.
enum { MS_STACK_BYTES_MAX = 512 * 1024 };

/// Of a deeper stack, so much of its top is copied as well.
enum { MS_ROOT_BYTES_MAX = 64 * 1024 };

/// How many captures can be under way at once in this process.
enum { MS_SLOT_COUNT = 256 };

// ---- Reading memory (safe_read.c)

/// Copies up to `count` bytes of this process's memory from `address`; never faults.
/// Returns the number of bytes copied, which is smaller where unmapped memory begins, or -1 and errno.
/// Any thread, and signal handlers.
long ms_safe_read(uint64_t address, void *to, size_t count);

// ---- Signals (handler.c)

/// Takes SIGPROF and the first free real-time signal for captures. The second and later calls do nothing.
/// They are never given back: the default action of a late SIGPROF would end the process.
/// Returns 0 or an error number. Any thread.
int ms_capture_install(void);

/// The real-time signal in use, or 0 where all were taken.
int ms_capture_realtime_signal(void);

/// SIGPROF, or 0 where the program has taken it back since.
int ms_capture_profiling_signal(void);

/// Gives the calling thread an alternate signal stack, if it has none: it can then be captured even on the
/// last page of its own. Freed when the thread ends. Returns 0 or an error number.
int ms_capture_prepare_current_thread(void);

// ---- Captures (capture.c)

/// Where one capture's result is kept. A slot belongs to one thread at a time.
/// `warm_bytes` of its memory are touched now, so that the handler takes no page fault for a stack that fits.
/// Returns its number, or minus an error number (EAGAIN: all are in use).
int ms_slot_acquire(size_t warm_bytes);
void ms_slot_release(int slot);

/// What to capture, and what /proc said of the thread just before.
typedef struct {
    int32_t thread;              // kernel's number; a thread of this process
    int32_t signal;              // one of the two above
    uint64_t stack_bytes_max;    // the copy ends here
    int64_t call_number;         // the system call that it sleeps in, or -1
    uint64_t call_arguments[6];
    uint64_t call_stack_pointer;
    uint64_t call_program_counter;
} ms_capture_request;

/// What the handler found.
typedef struct {
    uint64_t stack_low;          // address of the copy's first byte
    uint64_t stack_bytes;
    uint64_t root_low;           // the same of the stack's top, where it goes on above the copy
    uint64_t root_bytes;
    uint64_t handler_nanoseconds;  // how long the thread was held
    uint64_t latency_nanoseconds;  // from the request to the end of the handler
    bool truncated;              // the stack goes on above the copy
    bool restarted_call;         // a call that would have reported EINTR was issued again
    int32_t read_error;          // error number, if the stack could not be read
} ms_capture_result;

/// Sends the signal that makes one thread copy its registers and stack into the slot. Not to the calling thread.
///
/// Returns 0, then `ms_capture_end` must follow; EBUSY (an earlier capture into this slot is still stuck in its
/// handler), ESRCH, or another error number.
int ms_capture_begin(int slot, const ms_capture_request *request);

/// Waits for the copy until `deadline` on the monotonic clock, ns, and for a thread that has begun it up to
/// `grace` ns longer: it was preempted, or is traced.
///
/// Returns 0, or ETIMEDOUT: the signal may still arrive and will do nothing.
/// The slot's contents are valid until the next request.
int ms_capture_end(int slot, uint64_t deadline, uint64_t grace, ms_capture_result *result);

/// Stops a thread as a debugger would and copies its registers and stack into the slot: for one that runs with all
/// signals blocked. Takes some 100 µs; the thread stands still for less.
///
/// Returns 0, EPERM where tracing is forbidden, ETIMEDOUT, EBUSY, or another error number.
int ms_capture_traced(int slot, const ms_capture_request *request, uint64_t deadline, ms_capture_result *result);

/// One register of the last capture, by DWARF number.
uint64_t ms_slot_register(int slot, int number);

/// Copies the first `count` bytes of the captured stack.
void ms_slot_copy_stack(int slot, void *to, size_t count);

/// Copies the first `count` bytes of the captured top of the stack.
void ms_slot_copy_root(int slot, void *to, size_t count);

// ---- Threads (threads.c)

/// Whether a thread of this number lives in this process.
bool ms_is_own_thread(int32_t thread);

// ---- Interrupted calls (interrupted_calls.c)

/// Whether an interruption of this system call could show as a short count, or cannot be undone.
bool ms_call_may_be_partial(int64_t number);
