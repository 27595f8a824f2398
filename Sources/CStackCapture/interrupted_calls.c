// Undoing EINTR.
//
// SA_RESTART leaves out nanosleep, poll, select, epoll_wait, timed futexes and more. The kernel reports EINTR
// in rax and leaves the argument registers alone, so the handler can put the call's number back into rax and
// step rip back over the two bytes of `syscall`: sigreturn then issues the same call again. Absolute timeouts
// keep their end; relative ones start again, so that a wake-up can come late but never early.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Newer than some C libraries that this runs on.
extern int epoll_pwait2(int, struct epoll_event *, int, const struct timespec *, const sigset_t *);
#pragma weak epoll_pwait2

/// Calls that report EINTR in spite of SA_RESTART and can be issued again with the same arguments.
/// Never close (the number is free already) or connect (it goes on by itself).
static bool can_be_reissued(int64_t number) {
    switch (number) {
    case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_poll: case SYS_ppoll: case SYS_select:
    case SYS_pselect6: case SYS_epoll_wait: case SYS_epoll_pwait: case 441 /* epoll_pwait2 */:
    case SYS_futex: case 449 /* futex_waitv */: case SYS_rt_sigtimedwait: case SYS_pause:
    case SYS_rt_sigsuspend: case SYS_semop: case SYS_semtimedop: case SYS_msgrcv: case SYS_msgsnd:
    case SYS_io_getevents: case SYS_io_pgetevents: case 426 /* io_uring_enter */:
    // On sockets with a receive timeout.
    case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_accept: case SYS_accept4:
        return true;
    default:
        return false;
    }
}

bool ms_call_may_be_partial(int64_t number) {
    switch (number) {
    case SYS_write: case SYS_writev: case SYS_pwrite64: case SYS_pwritev: case SYS_sendto: case SYS_sendmsg:
    case SYS_sendmmsg: case SYS_sendfile: case SYS_splice: case SYS_tee: case SYS_vmsplice:
    case SYS_copy_file_range: case SYS_recvmmsg: case SYS_connect: case SYS_close:
        return true;
    default:
        return false;
    }
}

// ---- Known places: the address just after a `syscall` instruction, and the call that is made there.
// Appended under the lock, never changed; the handler reads them without it.

enum { SITE_COUNT_MAX = 256 };
static struct { uint64_t program_counter; int number; } sites[SITE_COUNT_MAX];
static _Atomic int site_count;
static pthread_mutex_t site_lock = PTHREAD_MUTEX_INITIALIZER;

static int number_at(uint64_t program_counter) {
    int count = atomic_load_explicit(&site_count, memory_order_acquire);
    for (int i = 0; i < count; i++) {
        if (sites[i].program_counter == program_counter) return sites[i].number;
    }
    return -1;
}

static void append_site(uint64_t program_counter, int number) {
    pthread_mutex_lock(&site_lock);
    int count = atomic_load(&site_count);
    if (number_at(program_counter) < 0 && count < SITE_COUNT_MAX) {
        sites[count].program_counter = program_counter;
        sites[count].number = number;
        atomic_store_explicit(&site_count, count + 1, memory_order_release);
    }
    pthread_mutex_unlock(&site_lock);
}

/// The number that the nearest `mov $number, %eax` before code[at] loads, or -1; read has the number 0, made by
/// `xor %eax, %eax` just before.
static int number_loaded_before(const uint8_t *code, int at) {
    if (at >= 2 && code[at - 2] == 0x31 && code[at - 1] == 0xc0) return SYS_read;
    for (int back = 5; back <= 48 && back <= at; back++) {
        if (code[at - back] != 0xb8) continue;
        uint32_t number;
        memcpy(&number, code + at - back + 1, sizeof number);
        if (number < 500 && can_be_reissued(number)) return (int)number;
    }
    return -1;
}

static void learn_wrapper(const void *function) {
    enum { LENGTH = 400 };
    uint8_t code[LENGTH];
    long count = ms_safe_read((uint64_t)function, code, LENGTH);
    for (int at = 5; at + 1 < count; at++) {
        if (code[at] != 0x0f || code[at + 1] != 0x05) continue;
        int number = number_loaded_before(code, at);
        if (number >= 0) append_site((uint64_t)function + (uint64_t)at + 2, number);
    }
}

/// Semaphores and conditions sleep in functions that have no name outside of libc, but lie near those that have one.
static void learn_futexes_near(const void *function) {
    enum { REACH = 64 * 1024, CHUNK = 4096 };
    static const uint8_t pattern[] = {0xb8, SYS_futex, 0, 0, 0, 0x0f, 0x05};
    uint8_t code[CHUNK + sizeof pattern];
    for (uint64_t start = (uint64_t)function - REACH; start < (uint64_t)function + REACH; start += CHUNK) {
        long count = ms_safe_read(start, code, sizeof code);
        for (long at = 0; at + (long)sizeof pattern <= count; at++) {
            if (memcmp(code + at, pattern, sizeof pattern) != 0) continue;
            append_site(start + (uint64_t)at + sizeof pattern, SYS_futex);
        }
    }
}

void ms_call_sites_learn(void) {
    learn_futexes_near(sem_timedwait);
    const void *wrappers[] = {
        clock_nanosleep, nanosleep, poll, ppoll, select, pselect, epoll_wait, epoll_pwait, epoll_pwait2, sigtimedwait,
        sigsuspend, pause, msgrcv, msgsnd, semop, semtimedop, read, readv, recv, recvfrom, recvmsg, accept, accept4,
    };
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        if (wrappers[i] != NULL) learn_wrapper(wrappers[i]);
    }
}

void ms_call_sites_add(uint64_t program_counter, int64_t number) {
    enum { LENGTH = 64 };
    if (!can_be_reissued(number) || number_at(program_counter) >= 0) return;
    uint8_t code[LENGTH];
    if (ms_safe_read(program_counter - LENGTH, code, LENGTH) != LENGTH) return;
    if (code[LENGTH - 2] != 0x0f || code[LENGTH - 1] != 0x05) return;
    // The same place can serve several calls (syscall(2) itself): only where the code names this very number.
    if (number_loaded_before(code, LENGTH - 2) == number) append_site(program_counter, (int)number);
}

// ---- In the handler

#if defined(__x86_64__)
/// The call that the code itself names, if it does so right before it makes it: for a place outside of the C library that no
/// sampler has looked at yet. Or -1.
static int number_named_at(uint64_t program_counter) {
    uint8_t code[7];
    if (ms_raw_read(program_counter - sizeof code, code, sizeof code) != sizeof code) return -1;
    if (code[0] != 0xb8 || code[5] != 0x0f || code[6] != 0x05) return -1;
    return number_loaded_before(code, 5);
}

/// Whether the thread is still in the very call that /proc showed: all that identifies it must agree.
static bool is_same_call(const greg_t *registers, const ms_capture_request *request) {
    return can_be_reissued(request->call_number)
        && (uint64_t)registers[REG_RIP] == request->call_program_counter
        && (uint64_t)registers[REG_RSP] == request->call_stack_pointer
        && (uint64_t)registers[REG_RDI] == request->call_arguments[0]
        && (uint64_t)registers[REG_RSI] == request->call_arguments[1]
        && (uint64_t)registers[REG_RDX] == request->call_arguments[2]
        && (uint64_t)registers[REG_R10] == request->call_arguments[3];
}

bool ms_restart_interrupted_call(ucontext_t *context, const ms_capture_request *request) {
    greg_t *registers = context->uc_mcontext.gregs;
    if (registers[REG_RAX] != -EINTR) return false;
    int64_t number = number_at((uint64_t)registers[REG_RIP]);
    if (number < 0 && request != NULL && is_same_call(registers, request)) number = request->call_number;
    if (number < 0) number = number_named_at((uint64_t)registers[REG_RIP]);
    if (number < 0) return false;
    registers[REG_RAX] = number;
    registers[REG_RIP] -= 2;
    return true;
}
#else
bool ms_restart_interrupted_call(ucontext_t *context, const ms_capture_request *request) {
    (void)context;
    (void)request;
    return false;
}
#endif
