// One capture: a slot goes idle → requested (by the sampler) → copying (by the target) → done → idle.
// Many at once: one slot each, all requested, then all awaited.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_stack_end;

// Abandoned: the sampler gave up while the target was in its handler; the handler makes it idle again.
// Orphaned: and the sampler has given the slot back since; the handler makes it free.
enum { FREE, IDLE, REQUESTED, COPYING, DONE, ABANDONED, ORPHANED };

typedef struct {
    _Atomic uint32_t state;
    _Atomic int32_t thread;        // whom the request is for; a late signal looks at it at any time
    ms_capture_request request;    // written while idle, read by the handler
    ms_capture_result result;      // written by the handler, read when done
    uint64_t registers[MS_REGISTER_COUNT];
    uint64_t requested_at;
    uint8_t *stack;                // room for both parts, mapped once and kept
} slot_t;

static slot_t slots[MS_SLOT_COUNT];
enum { SLOT_BYTES = MS_STACK_BYTES_MAX + MS_ROOT_BYTES_MAX };

uint64_t ms_monotonic_now(void) {
    struct timespec t;
    ms_raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0, 0, 0);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_on(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds) {
    struct timespec span = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &span, NULL, 0L);
}

static bool change(slot_t *slot, uint32_t from, uint32_t to) {
    return atomic_compare_exchange_strong(&slot->state, &from, to);
}

// ---- On the target

#if defined(__x86_64__)
static void copy_registers(const ucontext_t *context, uint64_t *to) {
    static const int order[MS_REGISTER_COUNT] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
        REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
    };
    for (int i = 0; i < MS_REGISTER_COUNT; i++) to[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}

/// The thread's first functions lie at the top of its stack.
static void copy_root(slot_t *slot, uint64_t low, uint64_t top) {
    if (top - low > MS_ROOT_BYTES_MAX) low = top - MS_ROOT_BYTES_MAX;
    long copied = ms_raw_read(low, slot->stack + MS_STACK_BYTES_MAX, top - low);
    slot->result.root_low = low;
    slot->result.root_bytes = copied < 0 ? 0 : (uint64_t)copied;
}

/// `thread_pointer`: a thread's control block lies at the top of its stack.
static void copy_stack(slot_t *slot, uint64_t thread_pointer) {
    enum { STACK_POINTER = 7, RED_ZONE = 128 };
    // The red zone below the stack pointer belongs to the innermost frame.
    uint64_t low = slot->registers[STACK_POINTER] - RED_ZONE;
    uint64_t top = slot->request.thread == ms_own_process ? (uint64_t)__libc_stack_end : thread_pointer;
    uint64_t count = slot->request.stack_bytes_max;
    bool truncated = true;
    if (top > low && top - low <= count) {
        count = top - low;
        truncated = false;
    }
    // The kernel copies: it cannot fault, whatever rsp is (a coroutine's stack, an alternate one, rubbish).
    long copied = ms_raw_read(low, slot->stack, count);
    slot->result.read_error = copied < 0 ? (int32_t)-copied : 0;
    slot->result.stack_low = low;
    slot->result.stack_bytes = copied < 0 ? 0 : (uint64_t)copied;
    slot->result.truncated = truncated && copied >= 0 && (uint64_t)copied == count;
    slot->result.root_bytes = 0;
    if (slot->result.truncated && top > low) copy_root(slot, low + count, top);
}
#else
static void copy_registers(const ucontext_t *context, uint64_t *to) { (void)context; (void)to; }
static void copy_stack(slot_t *slot, uint64_t thread_pointer) { (void)thread_pointer; slot->result.read_error = ENOTSUP; }
#endif

static void fill(slot_t *slot, ucontext_t *context) {
    uint64_t begun = ms_monotonic_now();
    copy_registers(context, slot->registers);
    copy_stack(slot, (uint64_t)__builtin_thread_pointer());
    slot->result.restarted_call = ms_restart_interrupted_call(context, &slot->request);
    uint64_t ended = ms_monotonic_now();
    slot->result.handler_nanoseconds = ended - begun;
    slot->result.latency_nanoseconds = ended - slot->requested_at;
}

bool ms_capture_in_handler(const siginfo_t *info, ucontext_t *context) {
    if (info->si_code != SI_QUEUE || info->si_pid != ms_own_process) return false;
    slot_t *slot = info->si_value.sival_ptr;
    uintptr_t offset = (uintptr_t)slot - (uintptr_t)slots;
    if ((uintptr_t)slot < (uintptr_t)slots || offset >= sizeof slots || offset % sizeof *slot != 0) return false;
    // A late signal finds another state or another thread, and leaves: but its interruption is undone, too.
    int32_t own = (int32_t)ms_raw_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
    if (atomic_load(&slot->thread) != own || !change(slot, REQUESTED, COPYING)) {
        ms_restart_interrupted_call(context, NULL);
        return true;
    }
    fill(slot, context);
    if (!change(slot, COPYING, DONE) && !change(slot, ABANDONED, IDLE)) change(slot, ORPHANED, FREE);
    ms_raw_call(SYS_futex, (long)&slot->state, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    return true;
}

// ---- On the sampler

static bool is_slot(int number) {
    return number >= 0 && number < MS_SLOT_COUNT && atomic_load(&slots[number].state) != FREE;
}

int ms_slot_acquire(size_t warm_bytes) {
    for (int i = 0; i < MS_SLOT_COUNT; i++) {
        if (!change(&slots[i], FREE, IDLE)) continue;
        if (slots[i].stack == NULL) {
            void *memory = mmap(NULL, SLOT_BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (memory == MAP_FAILED) {
                int error = errno;
                atomic_store(&slots[i].state, FREE);
                return -error;
            }
            slots[i].stack = memory;
        }
        memset(slots[i].stack, 0, warm_bytes < MS_STACK_BYTES_MAX ? warm_bytes : MS_STACK_BYTES_MAX);
        return i;
    }
    return -EAGAIN;
}

void ms_slot_release(int number) {
    if (!is_slot(number)) return;
    slot_t *slot = &slots[number];
    if (atomic_load(&slot->state) == IDLE) madvise(slot->stack, SLOT_BYTES, MADV_DONTNEED);
    // A handler that is still stuck in it frees it later; it may leave just now.
    if (!change(slot, IDLE, FREE) && !change(slot, ABANDONED, ORPHANED)) change(slot, IDLE, FREE);
}

static int send(slot_t *slot) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = slot->request.signal;
    info.si_code = SI_QUEUE;
    info.si_pid = ms_own_process;
    info.si_uid = getuid();
    info.si_value.sival_ptr = slot;
    long answer = syscall(SYS_rt_tgsigqueueinfo, (long)ms_own_process, (long)slot->request.thread,
        (long)slot->request.signal, &info);
    return answer == 0 ? 0 : errno;
}

/// Waits until the handler is done. Gives up at the deadline, or some time later if the handler has begun.
static int await(slot_t *slot, uint64_t deadline, uint64_t grace) {
    for (;;) {
        uint32_t state = atomic_load(&slot->state);
        if (state == DONE) return 0;
        uint64_t limit = state == COPYING && deadline < UINT64_MAX - grace ? deadline + grace : deadline;
        uint64_t time = ms_monotonic_now();
        if (time < limit) {
            sleep_on(&slot->state, state, limit - time);
        } else if (change(slot, state, state == COPYING ? ABANDONED : IDLE)) {
            return ETIMEDOUT;
        }
    }
}

int ms_capture_begin(int number, const ms_capture_request *request) {
    if (!is_slot(number) || request->stack_bytes_max > MS_STACK_BYTES_MAX) return EINVAL;
    slot_t *slot = &slots[number];
    if (atomic_load(&slot->state) != IDLE) return EBUSY;
    slot->request = *request;
    atomic_store(&slot->thread, request->thread);
    if (request->call_number >= 0) ms_call_sites_add(request->call_program_counter, request->call_number);
    slot->requested_at = ms_monotonic_now();
    atomic_store(&slot->state, REQUESTED);
    int error = send(slot);
    // A late signal of an earlier request may have answered this one meanwhile: then it is to be waited for.
    return error != 0 && change(slot, REQUESTED, IDLE) ? error : 0;
}

int ms_capture_end(int number, uint64_t deadline, uint64_t grace, ms_capture_result *result) {
    if (!is_slot(number) || atomic_load(&slots[number].state) == IDLE) return EINVAL;
    slot_t *slot = &slots[number];
    int error = await(slot, deadline, grace);
    if (error != 0) return error;
    *result = slot->result;
    atomic_store(&slot->state, IDLE);
    return 0;
}

static void copy_stopped(void *argument, const uint64_t *registers, uint64_t thread_pointer) {
    slot_t *slot = argument;
    uint64_t begun = ms_monotonic_now();
    for (int i = 0; i < MS_REGISTER_COUNT; i++) slot->registers[i] = registers[i];
    copy_stack(slot, thread_pointer);
    slot->result.restarted_call = false;
    slot->result.handler_nanoseconds = ms_monotonic_now() - begun;
}

int ms_capture_traced(int number, const ms_capture_request *request, uint64_t deadline, ms_capture_result *result) {
    if (!is_slot(number) || request->stack_bytes_max > MS_STACK_BYTES_MAX) return EINVAL;
    slot_t *slot = &slots[number];
    if (atomic_load(&slot->state) != IDLE) return EBUSY;
    slot->request = *request;
    slot->requested_at = ms_monotonic_now();
    int error = ms_stop_and_copy(request->thread, deadline, copy_stopped, slot);
    if (error != 0) return error;
    slot->result.latency_nanoseconds = ms_monotonic_now() - slot->requested_at;
    *result = slot->result;
    return 0;
}

uint64_t ms_slot_register(int number, int which) {
    return is_slot(number) && which >= 0 && which < MS_REGISTER_COUNT ? slots[number].registers[which] : 0;
}

void ms_slot_copy_stack(int number, void *to, size_t count) {
    if (!is_slot(number)) return;
    uint64_t held = slots[number].result.stack_bytes;
    memcpy(to, slots[number].stack, count < held ? count : held);
}

void ms_slot_copy_root(int number, void *to, size_t count) {
    if (!is_slot(number)) return;
    uint64_t held = slots[number].result.root_bytes;
    memcpy(to, slots[number].stack + MS_STACK_BYTES_MAX, count < held ? count : held);
}
