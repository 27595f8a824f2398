// The two signals: taking them, telling ours from others', passing others' on.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic int realtime_signal;
static struct sigaction previous_profiling;
static int install_error;

/// A signal that is not ours goes to whoever had it before.
static void pass_on(int number, siginfo_t *info, void *context) {
    // The real-time signal had no owner. A default action is not carried out: it would end the process.
    if (number != SIGPROF) return;
    int saved = errno;
    if (previous_profiling.sa_flags & SA_SIGINFO) {
        if (previous_profiling.sa_sigaction != NULL) previous_profiling.sa_sigaction(number, info, context);
    } else if (previous_profiling.sa_handler != SIG_DFL && previous_profiling.sa_handler != SIG_IGN) {
        previous_profiling.sa_handler(number);
    }
    errno = saved;
}

// Our own part calls nothing but the kernel, and leaves errno alone.
static void on_signal(int number, siginfo_t *info, void *context) {
    if (!ms_capture_in_handler(info, context)) pass_on(number, info, context);
}

static struct sigaction our_action(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    return action;
}

static int first_free_realtime_signal(void) {
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        struct sigaction current;
        if (sigaction(number, NULL, &current) == 0 && !(current.sa_flags & SA_SIGINFO)
            && current.sa_handler == SIG_DFL) {
            return number;
        }
    }
    return 0;
}

static void install(void) {
    install_error = ms_safe_read_prepare();
    if (install_error != 0) return;
    ms_call_sites_learn();
    struct sigaction action = our_action();
    int number = first_free_realtime_signal();
    if (number != 0 && sigaction(number, &action, NULL) == 0) atomic_store(&realtime_signal, number);
    // Who had SIGPROF is known before our handler can be the one that asks.
    if (sigaction(SIGPROF, NULL, &previous_profiling) != 0 || sigaction(SIGPROF, &action, NULL) != 0) {
        install_error = errno;
    }
}

int ms_capture_install(void) {
#if defined(__x86_64__)
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return install_error;
#else
    return ENOTSUP;
#endif
}

static bool is_ours(int number) {
    struct sigaction current;
    return sigaction(number, NULL, &current) == 0 && (current.sa_flags & SA_SIGINFO)
        && current.sa_sigaction == on_signal;
}

int ms_capture_realtime_signal(void) {
    int number = atomic_load(&realtime_signal);
    return number != 0 && is_ours(number) ? number : 0;
}

int ms_capture_profiling_signal(void) {
    return is_ours(SIGPROF) ? SIGPROF : 0;
}

// ---- Alternate signal stacks

static pthread_key_t stack_key;
static int stack_key_error;

/// What a capture needs of a stack.
static size_t least_stack_bytes(void) {
    long least = sysconf(_SC_MINSIGSTKSZ);
    return (least > 2048 ? (size_t)least : 2048) + 2048;
}

static size_t stack_bytes(void) {
    // The kernel's frame alone takes 11 KiB where the processor has wide vector registers.
    long least = sysconf(_SC_MINSIGSTKSZ);
    size_t room = 64 * 1024;
    return least > 0 && (size_t)least + 16 * 1024 > room ? (size_t)least + 16 * 1024 : room;
}

static void drop_stack(void *memory) {
    stack_t none = {.ss_flags = SS_DISABLE}, current;
    if (sigaltstack(NULL, &current) == 0 && current.ss_sp == memory) sigaltstack(&none, NULL);
    munmap(memory, stack_bytes());
}

static void make_stack_key(void) {
    stack_key_error = pthread_key_create(&stack_key, drop_stack);
}

int ms_capture_prepare_current_thread(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_stack_key);
    if (stack_key_error != 0) return stack_key_error;
    stack_t stack;
    if (sigaltstack(NULL, &stack) != 0) return errno;
    // One that is too small for the kernel's frame and our handler is as bad as none: that end would be memory of others.
    bool fits = !(stack.ss_flags & SS_DISABLE) && stack.ss_size >= least_stack_bytes();
    if (fits || stack.ss_flags & SS_ONSTACK) return 0;
    stack.ss_flags = 0;
    stack.ss_size = stack_bytes();
    stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack.ss_sp == MAP_FAILED) return errno;
    if (sigaltstack(&stack, NULL) != 0) {
        int error = errno;
        munmap(stack.ss_sp, stack.ss_size);
        return error;
    }
    return pthread_setspecific(stack_key, stack.ss_sp);
}
