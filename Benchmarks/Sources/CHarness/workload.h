// What the workloads share: the peer, the size, measuring, and the line to print.
#ifndef WORKLOAD_H
#define WORKLOAD_H
#define _GNU_SOURCE
#include "CHarness.h"

extern struct peer_ops ops;
extern const char *workload;
extern long N;
extern void *LA;  // the loop that is measured

uint64_t rnd(void);  // xorshift64*, fixed seed: the same sequence in each run
void nothing(void *arg);
void make_loop(void);

// -- ends without a figure ----------------------------------------------------
void not_possible(const char *why) __attribute__((noreturn));
#define NEED(hook) do { if (!ops.hook) not_possible("the peer has no " #hook); } while (0)
void need_timers(void);
void need_fds(void);
void cap_check(long done, const char *what, uint64_t since);
void raise_nofile(long wanted);

// -- a stretch that is measured: time, processor time of all threads, calls, sleeps ------
void region_begin(void);
void region_end(void);
double region_ns(void);
double region_cpu_ns(void);
// Prints the line: nanoseconds over operations, what the stretch took an operation, and more keys.
void emit(double ns, double operations, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Prints a line of one figure that has nothing to do with a stretch.
void emit_figure(double figure, const char *format, ...) __attribute__((format(printf, 2, 3)));

// -- twenty stretches of a run: the middle one, and the best, which nobody disturbed -----------
void chunk_start(long total);
void chunk_end(void);
extern long chunk_left;
static inline void chunk_tick(void) {
    if (--chunk_left == 0) chunk_end();
}
// As emit, with those two.
void emit_chunked(double ns, double operations, const char *format, ...) __attribute__((format(printf, 3, 4)));

// -- sorted samples -------------------------------------------------------------
void sort_samples(int64_t *samples, long n);
double percentile_us(const int64_t *sorted, long n, int percent);

// -- what the process did and holds ---------------------------------------------
long futex_wakes(void);
long rss_bytes(void);
long open_descriptors(void);

void w1(void);
void w2p1(void), w2p2(void), w2s(void), w3(void), w3n(void);
void w4a(void), w4r(void), w4p(void), w4f(void), w4b(void), w4c(void), far_dates(void);
void w5(void), w5e(void);
void w6o0(void), w6o1(void), w6o10(void), w6d(void);
void other_blocks(void), other_sources(void), other_observers(void);
void w7t(void), w7f(void);
void nested(void), modes(void);
void oneloop(void), idle(void);
#endif
