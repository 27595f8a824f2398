// What a forked child does before anything else runs in it: it closes the descriptors that loops of the parent wait
// on, and counts itself one process further down. Only what is allowed between fork and exec.
#include "CLinuxKernel.h"

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

void ms_forget_parent(void) {
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
