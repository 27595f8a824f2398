#include "floors.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// -- futex, futex-spin ------------------------------------------------------------

enum { awake = 0, signalled = 1, asleep = -1 };

struct word {
    int state;
    bool is_stopped;
    task_fn fn;
    void *arg;
    char line[100];  // nothing else on its cache lines
};
static uint64_t spin_ns;

static void *word_new(void) { return calloc(1, sizeof(struct word)); }

static void word_init(void *p, task_fn fn, void *arg) {
    struct word *w = p;
    w->fn = fn;
    w->arg = arg;
}

static void word_wake(void *p) {
    struct word *w = p;
    if (__atomic_exchange_n(&w->state, signalled, __ATOMIC_SEQ_CST) == asleep)
        syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static bool is_signalled(struct word *w) { return __atomic_load_n(&w->state, __ATOMIC_ACQUIRE) == signalled; }

static void spin(struct word *w) {
    for (uint64_t began = now_ns(); !is_signalled(w) && now_ns() - began < spin_ns;) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
}

static void sleep_on(struct word *w) {
    int expected = awake;
    if (!__atomic_compare_exchange_n(&w->state, &expected, asleep, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return;
    while (__atomic_load_n(&w->state, __ATOMIC_ACQUIRE) == asleep)
        syscall(SYS_futex, &w->state, FUTEX_WAIT_PRIVATE, asleep, NULL, NULL, 0);
}

static void word_run(void *p) {
    struct word *w = p;
    while (!w->is_stopped) {
        if (spin_ns) spin(w);
        while (!is_signalled(w)) sleep_on(w);
        __atomic_store_n(&w->state, awake, __ATOMIC_SEQ_CST);
        w->fn(w->arg);
    }
}

static void word_stop(void *p) { ((struct word *)p)->is_stopped = true; }

// -- calls ------------------------------------------------------------------------

struct observer {
    void (*call)(void *context, int activity);
    void *context;
};

static struct observer observers[16];
static volatile long observer_count;

static void count(void *context, int activity) { ++*(long *)context; }

static void calls_add(void *unused, long *calls) {
    observers[observer_count++] = (struct observer){count, calls};
}

static void calls_pass(void *unused) {
    for (int activity = 0; activity < 4; activity++) {
        for (long i = 0; i < observer_count; i++) observers[i].call(observers[i].context, activity);
    }
}

// -- thread -----------------------------------------------------------------------

static void *none_new(void) { return NULL; }
static void none(void *unused) {}

bool floor_lookup(const char *name, struct peer_ops *ops) {
    if (!strcmp(name, "calls")) {
        *ops = (struct peer_ops){.loop_new = none_new, .observer_add = calls_add, .pass = calls_pass};
    } else if (!strcmp(name, "thread")) {
        *ops = (struct peer_ops){.loop_new = none_new, .loop_end = none, .pass = none};
    } else if (!strcmp(name, "futex") || !strcmp(name, "futex-spin")) {
        spin_ns = strcmp(name, "futex") ? 50000 : 0;
        *ops = (struct peer_ops){
            .loop_new = word_new, .loop_run = word_run, .loop_stop = word_stop,
            .wake_init = word_init, .wake = word_wake, .na_pass = "a floor of w1 alone",
        };
    } else {
        return false;
    }
    ops->na_timer = ops->na_fd = ops->na_observer = "a floor of other workloads";
    return true;
}
