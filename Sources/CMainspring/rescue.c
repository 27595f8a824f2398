// The handler of crashes: what it may do is what a signal handler may, but for the call of `run`, which whoever installs it
// has asked for. Whatever goes wrong there, the guard's thread, which needs neither memory nor locks, ends the process
// in time.
#include "rescue.h"

#include "CLinuxKernel.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

enum { idle, crashing, rescuing, finished, removed };
enum { signals_most = 16 };

static uint32_t stage = removed;
static ms_crash crash;
static int32_t process;
static int32_t loop_thread;
static void (*note_loop)(void *);
static void (*run_loop)(void *);
static void *run_context;
static uint64_t current_number;
static int64_t limit;
static int signal_count;
static int signals[signals_most];
static struct sigaction former[signals_most];
/// Which thread let each signal go its way last.
static int32_t gave_way[signals_most];
static pthread_t guard_thread;

static uint32_t current_stage(void) { return __atomic_load_n(&stage, __ATOMIC_SEQ_CST); }

static bool change_stage(uint32_t from, uint32_t to) {
    bool is_changed = __atomic_compare_exchange_n(&stage, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (is_changed) ms_futex_wake(&stage, INT32_MAX);
    return is_changed;
}

static void wait_while(uint32_t value, const struct timespec *deadline) {
    ms_futex_wait(&stage, value, deadline);
}

static void send_to_self(int number) { syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number); }

/// Lets the signal go its way: to whoever had it before, or to the end of the process.
static void give_way(int number, int code) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int i = 0; i < signal_count; i++) {
        if (signals[i] != number) continue;
        // Whoever had it before may have given it back to us, as who was installed between two rescues: round and round.
        int32_t thread = (int32_t)syscall(SYS_gettid);
        bool is_back = __atomic_exchange_n(&gave_way[i], thread, __ATOMIC_SEQ_CST) == thread;
        // A crash that nobody handled must not be passed over.
        if (!is_back && former[i].sa_handler != SIG_IGN) action = former[i];
    }
    sigaction(number, &action, NULL);
    // A fault comes again where it was, once the handler returns; what was sent has to be sent again.
    bool comes_again = code > 0 && number != SIGTRAP && number != SIGSYS;
    if (!comes_again) send_to_self(number);
}

static void note_crash(int number, const siginfo_t *info, const void *context) {
    crash.signal = number;
    crash.code = info->si_code;
    crash.thread = (int32_t)syscall(SYS_gettid);
    crash.address = info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    crash.nanoseconds = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
#if defined(__x86_64__)
    // Where the kernel's frame has the registers with the DWARF numbers rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15,
    // rip. The names of these places need _GNU_SOURCE.
    static const unsigned char places[17] = {13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16};
    const ucontext_t *user = context;
    for (int i = 0; i < 17; i++) crash.registers[i] = (uint64_t)user->uc_mcontext.gregs[places[i]];
#else
    (void)context;
#endif
}

static void on_crash(int number, siginfo_t *info, void *context) {
    int saved = errno;
    // In a forked child there is no guard, and whatever its parent would save is not the child's.
    if (getpid() == process && change_stage(idle, crashing)) {
        note_crash(number, info, context);
        if (crash.thread == loop_thread) note_loop(run_context);
        change_stage(crashing, rescuing);
        if (crash.thread == loop_thread) run_loop(run_context);
        while (current_stage() == rescuing) wait_while(rescuing, NULL);
    }
    give_way(number, info->si_code);
    errno = saved;
}

// ---- The guard

static struct timespec deadline_from_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t nanoseconds = now.tv_nsec + limit % 1000000000;
    now.tv_sec += limit / 1000000000 + nanoseconds / 1000000000;
    now.tv_nsec = nanoseconds % 1000000000;
    return now;
}

static bool is_past(const struct timespec *deadline) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

static void end_process(int number) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    send_to_self(number);
    _exit(128 + number);
}

static void *guard(void *nothing) {
    (void)nothing;
    for (;;) {
        uint32_t seen = current_stage();
        if (seen == removed) return NULL;
        if (seen >= rescuing) break;
        wait_while(seen, NULL);
    }
    struct timespec deadline = deadline_from_now();
    // Also once it is finished: the crashed thread may not get as far as its end.
    while (!is_past(&deadline)) wait_while(current_stage(), &deadline);
    end_process(crash.signal);
    return NULL;
}

/// The program ends by itself while a crash is on — `main` returns, since the loop has nothing left or was stopped: what
/// is to be saved is saved first, and the end is by the signal, so that whoever started the process sees a crash.
static void on_exit_of_process(void) {
    uint32_t seen = current_stage();
    if (getpid() != process || seen < rescuing || seen == removed) return;
    int32_t thread = (int32_t)syscall(SYS_gettid);
    if (thread != crash.thread) {
        if (thread == loop_thread) run_loop(run_context);
        else while (current_stage() == rescuing) wait_while(rescuing, NULL);
    }
    end_process(crash.signal);
}

static int watch_exits(void) {
    static bool is_registered;
    if (is_registered) return 0;
    if (atexit(on_exit_of_process) != 0) return ENOMEM;
    is_registered = true;
    return 0;
}

static int start_guard(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&guard_thread, &attributes, guard, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

// ---- Installing

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_crash;
}

/// Installs the handler for one more signal; gives an error number.
static int handle(int number, const struct sigaction *known, const int *known_signals, int known_count) {
    for (int i = 0; i < signal_count; i++) {
        if (signals[i] == number) return 0;
    }
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    if (sigaction(number, &action, &before) != 0) return errno;
    // Ours is there already in a child whose parent had a rescue, and where somebody has put it back after its end.
    if (is_ours(&before)) {
        before = (struct sigaction){.sa_handler = SIG_DFL};
        for (int i = 0; i < known_count; i++) {
            if (known_signals[i] == number) before = known[i];
        }
    }
    signals[signal_count] = number;
    former[signal_count] = before;
    gave_way[signal_count] = 0;
    signal_count += 1;
    return 0;
}

static int handle_all(const int32_t *numbers, int count) {
    struct sigaction known[signals_most];
    int known_signals[signals_most];
    int known_count = signal_count;
    memcpy(known, former, sizeof known);
    memcpy(known_signals, signals, sizeof known_signals);
    signal_count = 0;
    int error = 0;
    for (int i = 0; i < count && error == 0; i++) error = handle(numbers[i], known, known_signals, known_count);
    return error;
}

static void put_back(int count) {
    for (int i = 0; i < count; i++) {
        struct sigaction current;
        if (sigaction(signals[i], NULL, &current) != 0) continue;
        if (is_ours(&current)) sigaction(signals[i], &former[i], NULL);
    }
}

int ms_rescue_install(
    const int32_t *numbers, int count, int64_t limit_nanoseconds, int32_t thread, void (*note)(void *),
    void (*run)(void *), void *context, uint64_t *number
) {
    if (count < 1 || count > signals_most) return EINVAL;
    if (process != getpid()) stage = removed;
    if (!change_stage(removed, crashing)) return EBUSY;
    process = getpid();
    loop_thread = thread;
    note_loop = note;
    run_loop = run;
    run_context = context;
    *number = __atomic_add_fetch(&current_number, 1, __ATOMIC_SEQ_CST);
    limit = limit_nanoseconds;
    int error = handle_all(numbers, count);
    if (error == 0) error = watch_exits();
    if (error == 0) error = start_guard();
    if (error != 0) {
        put_back(signal_count);
        change_stage(crashing, removed);
        return error;
    }
    change_stage(crashing, idle);
    return 0;
}

static bool is_current(uint64_t number) { return __atomic_load_n(&current_number, __ATOMIC_SEQ_CST) == number; }

int ms_rescue_remove(uint64_t number) {
    if (process != getpid() || !is_current(number) || !change_stage(idle, removed)) return 0;
    put_back(signal_count);
    pthread_join(guard_thread, NULL);
    return 1;
}

const ms_crash *ms_rescue_wait(uint64_t number) {
    for (;;) {
        uint32_t seen = current_stage();
        if (seen == removed || !is_current(number)) return NULL;
        if (seen >= rescuing) return &crash;
        wait_while(seen, NULL);
    }
}

void ms_rescue_finish(void) { change_stage(rescuing, finished); }

int ms_rescue_is_finished(void) { return current_stage() != rescuing; }

int ms_rescue_prepare_stack(size_t bytes) {
    stack_t stack;
    if (sigaltstack(NULL, &stack) != 0) return errno;
    if (!(stack.ss_flags & SS_DISABLE) && (stack.ss_size >= bytes || stack.ss_flags & SS_ONSTACK)) return 0;
    // Never given back: who had the smaller one may put it back, and a thread may end on it.
    long page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return errno;
    mprotect(memory, page, PROT_NONE);
    stack_t larger = {.ss_sp = memory + page, .ss_size = bytes};
    if (sigaltstack(&larger, NULL) == 0) return 0;
    int error = errno;
    munmap(memory, bytes + page);
    return error;
}
