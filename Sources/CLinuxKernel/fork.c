// What a forked child does before anything else runs in it: it closes the descriptors that loops of the parent wait
// on, and counts itself one process further down. Only what is allowed between fork and exec, and so in C: Swift looks
// up types at their first use, under locks that another thread may have held.
#include "CLinuxKernel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

// Numbers beyond are not kept, and so not closed. The table's pages are touched only where numbers are used.
enum { numbers_kept = 1 << 20, word_bits = 64 };

static _Atomic uint64_t owned[numbers_kept / word_bits];
static _Atomic int words_used;

uint32_t ms_fork_generation_word;
_Thread_local uint64_t ms_signals_of_child;

static int is_kept(int number) {
    return number >= 0 && number < numbers_kept;
}

void ms_own_descriptor(int number) {
    if (!is_kept(number)) return;
    int word = number / word_bits;
    int used = atomic_load_explicit(&words_used, memory_order_relaxed);
    while (used <= word && !atomic_compare_exchange_weak(&words_used, &used, word + 1)) {}
    atomic_fetch_or(&owned[word], UINT64_C(1) << (number % word_bits));
}

void ms_disown_descriptor(int number) {
    if (is_kept(number)) atomic_fetch_and(&owned[number / word_bits], ~(UINT64_C(1) << (number % word_bits)));
}

// The process's own few locks, each registered once and for ever; the list has a lock of its own, which is the first.
enum { locks_most = 16, lock_free = 0, lock_held = 1, lock_held_with_sleepers = 2 };

static uint32_t list_lock;
static uint32_t *held[locks_most] = {&list_lock};
static int held_count = 1;

static void lock(uint32_t *word) {
    uint32_t expected = lock_free;
    if (__atomic_compare_exchange_n(word, &expected, lock_held, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    while (__atomic_exchange_n(word, lock_held_with_sleepers, __ATOMIC_SEQ_CST) != lock_free) {
        ms_futex_wait(word, lock_held_with_sleepers, NULL);
    }
}

static void unlock(uint32_t *word) {
    if (__atomic_exchange_n(word, lock_free, __ATOMIC_SEQ_CST) == lock_held_with_sleepers) ms_futex_wake(word, 1);
}

static void before_fork(void) {
    for (int i = 0; i < held_count; i++) lock(held[i]);
}

static void after_fork_in_parent(void) {
    for (int i = held_count - 1; i >= 0; i--) unlock(held[i]);
}

static void forget_parent(void) {
    int saved = errno;
    __atomic_store_n(&ms_fork_generation_word, ms_fork_generation_word + 1, __ATOMIC_RELAXED);
    int used = atomic_load_explicit(&words_used, memory_order_relaxed);
    for (int word = 0; word < used; word++) {
        uint64_t bits = atomic_exchange(&owned[word], 0);
        for (; bits; bits &= bits - 1) close(word * word_bits + __builtin_ctzll(bits));
    }
    // The sources that blocked them were the parent's.
    uint64_t signals = ms_signals_of_child;
    ms_signals_of_child = 0;
    if (signals) syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &signals, NULL, sizeof signals);
    errno = saved;
}

static void after_fork_in_child(void) {
    forget_parent();
    after_fork_in_parent();
}

int ms_hold_over_forks(uint32_t *word) {
    lock(&list_lock);
    int is_full = held_count == locks_most;
    if (!is_full) held[held_count++] = word;
    unlock(&list_lock);
    return is_full ? ENOSPC : 0;
}

int ms_thread_number(void) {
    static _Thread_local int number;
    static _Thread_local uint32_t generation;
    // The forking thread goes on in the child under another number.
    if (number == 0 || generation != ms_fork_generation_word) {
        number = ms_gettid();
        generation = ms_fork_generation_word;
    }
    return number;
}

int ms_watch_forks(void) {
    return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
