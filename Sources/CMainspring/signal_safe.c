// The posters' half of the bell's protocol and the stop word, once more in C: what Swift compiles may call its runtime,
// which a signal handler must not. The steps are those of BellMachine+Protocol.swift and StopWord.swift, by their names.
#include "words.h"

#include "CLinuxKernel.h"

// SleepCode.swift
#define AWAKE UINT32_C(0)
#define ASLEEP (UINT32_C(1) << 31)
#define USES_DESCRIPTOR (UINT32_C(1) << 30)

// The door, BellMachine+Protocol.swift
#define SHUT (UINT32_C(1) << 31)
#define RETIRED (UINT32_C(1) << 30)

// StopWord.swift
#define INNERMOST UINT64_C(1)
#define ALL UINT64_C(2)
#define KEPT_INNERMOST UINT64_C(4)
#define KEPT_ALL UINT64_C(8)
#define KEPT (KEPT_INNERMOST | KEPT_ALL)
#define DEPTH_SHIFT 32

static int swap32(uint32_t *word, uint32_t expected, uint32_t desired) {
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void leave_door(mainspring_loop *loop) {
    uint32_t before = __atomic_fetch_sub(&loop->door, 1, __ATOMIC_SEQ_CST);
    if (before != (SHUT | 1) || !swap32(&loop->door, SHUT, RETIRED)) return;
    int number = __atomic_exchange_n(&loop->descriptor, -1, __ATOMIC_SEQ_CST);
    if (number < 0) return;
    ms_disown_descriptor(number);
    close(number);
}

static void ring_if_asleep(mainspring_loop *loop) {
    uint32_t code = __atomic_load_n(&loop->sleep, __ATOMIC_SEQ_CST);
    if (!(code & ASLEEP) || !swap32(&loop->sleep, code, AWAKE)) return;
    if (!(code & USES_DESCRIPTOR)) {
        ms_futex_wake(&loop->sleep, 1);
        return;
    }
    uint32_t before = __atomic_fetch_add(&loop->door, 1, __ATOMIC_SEQ_CST);
    if (!(before & (SHUT | RETIRED))) {
        uint64_t one = 1;
        ssize_t written = write(__atomic_load_n(&loop->descriptor, __ATOMIC_ACQUIRE), &one, sizeof one);
        (void)written;
    }
    leave_door(loop);
}

static int is_inherited(const mainspring_loop *loop) {
    return loop->generation != ms_fork_generation();
}

void mainspring_wake_up(mainspring_loop *loop) {
    if (is_inherited(loop)) return;
    int saved = errno;
    __atomic_store_n(&loop->wake_requested, 1, __ATOMIC_SEQ_CST);
    ring_if_asleep(loop);
    errno = saved;
}

int mainspring_stop(mainspring_loop *loop, mainspring_stop_scope scope) {
    if (is_inherited(loop)) return 0;
    int saved = errno;
    int is_all = scope == mainspring_stop_all;
    uint64_t old = __atomic_load_n(&loop->stops, __ATOMIC_RELAXED);
    int met_run;
    uint64_t new;
    do {
        new = old;
        met_run = old >> DEPTH_SHIFT != 0;
        if (met_run) {
            new |= is_all ? ALL : INNERMOST;
        } else {
            // Stops do not add up; the one that reaches further stays.
            if (is_all) new = (new & ~KEPT) | KEPT_ALL;
            if (!(new & KEPT)) new |= KEPT_INNERMOST;
        }
    } while (!__atomic_compare_exchange_n(&loop->stops, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    ring_if_asleep(loop);
    errno = saved;
    return met_run;
}
