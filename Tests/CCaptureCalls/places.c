#define _GNU_SOURCE
#include "CCaptureCalls.h"

#include <alloca.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

// ---- Stacks

typedef struct { void (*body)(void *); void *argument; } call_t;

static void enter(unsigned low, unsigned high) {
    call_t *call = (call_t *)((uintptr_t)high << 32 | low);
    call->body(call->argument);
}

int test_on_other_stack(void *stack, size_t bytes, void (*body)(void *), void *argument) {
    ucontext_t here, there;
    call_t call = {body, argument};
    if (getcontext(&there) != 0) return errno;
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = bytes;
    there.uc_link = &here;
    uintptr_t place = (uintptr_t)&call;
    makecontext(&there, (void (*)(void))enter, 2, (unsigned)place, (unsigned)(place >> 32));
    return swapcontext(&here, &there) == 0 ? 0 : errno;
}

__attribute__((noinline)) static void call_below(volatile char *room, void (*body)(void *), void *argument) {
    room[0] = 1;
    body(argument);
    room[0] = 2;
}

void test_near_stack_end(size_t bytes, void (*body)(void *), void *argument) {
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    size_t left = (size_t)((char *)__builtin_frame_address(0) - (char *)low);
    if (left <= bytes) return;
    call_below(alloca(left - bytes), body, argument);
}

// ---- Sandboxes

int test_forbid_reading_processes(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

// ---- Signals

static _Atomic int taken;

static void count(int number) {
    (void)number;
    atomic_fetch_add(&taken, 1);
}

void test_take_all_signals(void) {
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaction(number, &action, NULL);
}

int test_signals_taken(void) { return atomic_load(&taken); }
