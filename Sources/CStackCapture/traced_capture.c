// Capturing a running thread that blocks every signal: a helper stops it as a debugger would, copies, and lets it go.
//
// The helper is a process of its own that shares this one's memory, since no thread may trace its own process. It has no
// exit signal, so that the program's waits for children never see it, and it calls nothing but the kernel: it runs on the
// caller's thread pointer.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#if defined(__x86_64__)

enum { HELPER_STACK_BYTES = 64 * 1024 };

typedef struct {
    int32_t thread;
    int error;
    ms_stopped_copy copy;
    void *copy_argument;
} job_t;

static long trace(int request, int32_t thread, void *data) {
    return ms_raw_call(SYS_ptrace, request, thread, 0, (long)data, 0, 0);
}

static int stop_and_copy(job_t *job) {
    int status;
    long answer = trace(PTRACE_SEIZE, job->thread, NULL);
    if (answer < 0) return (int)-answer;
    answer = trace(PTRACE_INTERRUPT, job->thread, NULL);
    if (answer < 0) return (int)-answer;
    answer = ms_raw_call(SYS_wait4, job->thread, (long)&status, __WALL, 0, 0, 0);
    if (answer < 0) return (int)-answer;
    if (!WIFSTOPPED(status)) return ESRCH;
    struct user_regs_struct now;
    answer = trace(PTRACE_GETREGS, job->thread, &now);
    if (answer >= 0) {
        const uint64_t registers[MS_REGISTER_COUNT] = {
            now.rax, now.rdx, now.rcx, now.rbx, now.rsi, now.rdi, now.rbp, now.rsp, now.r8, now.r9, now.r10, now.r11,
            now.r12, now.r13, now.r14, now.r15, now.rip,
        };
        job->copy(job->copy_argument, registers, now.fs_base);
    }
    trace(PTRACE_DETACH, job->thread, NULL);
    return answer < 0 ? (int)-answer : 0;
}

static int run(void *argument) {
    job_t *job = argument;
    job->error = stop_and_copy(job);
    ms_raw_call(SYS_exit, 0, 0, 0, 0, 0, 0);
    return 0;
}

/// Waits for the helper's end; ends it at the deadline, which lets the thread go as well.
static bool reap(pid_t helper, uint64_t deadline) {
    const struct timespec pause = {0, 50000};
    for (;;) {
        long answer = ms_raw_call(SYS_wait4, helper, 0, __WALL | WNOHANG, 0, 0, 0);
        if (answer == helper || answer == -ECHILD) return true;
        if (ms_monotonic_now() >= deadline) break;
        nanosleep(&pause, NULL);
    }
    ms_raw_call(SYS_kill, helper, 9, 0, 0, 0, 0);
    ms_raw_call(SYS_wait4, helper, 0, __WALL, 0, 0, 0);
    return false;
}

int ms_stop_and_copy(int32_t thread, uint64_t deadline, ms_stopped_copy copy, void *argument) {
    uint8_t *stack = mmap(NULL, HELPER_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return errno;
    job_t job = {thread, ETIMEDOUT, copy, argument};
    // A handler of the program's must not run on the helper.
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t helper = clone(run, stack + HELPER_STACK_BYTES - 64, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, &job);
    int error = helper < 0 ? errno : 0;
    if (helper >= 0 && !reap(helper, deadline)) error = ETIMEDOUT;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    munmap(stack, HELPER_STACK_BYTES);
    return error != 0 ? error : job.error;
}

#else

int ms_stop_and_copy(int32_t thread, uint64_t deadline, ms_stopped_copy copy, void *argument) {
    (void)thread, (void)deadline, (void)copy, (void)argument;
    return ENOTSUP;
}

#endif
