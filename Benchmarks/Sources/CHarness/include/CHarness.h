// The workloads that run loops are compared by. A peer is a loop and a way of using it: the program fills in one
// `struct peer_ops` for it and calls harness_main, which runs one workload and prints one line.
#ifndef CHARNESS_H
#define CHARNESS_H
#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef void (*task_fn)(void *arg);

// Every hook that is NULL makes the workloads needing it print "n/a".
struct peer_ops {
    const char *name;
    // -- the loop -----------------------------------------------------------
    void *(*loop_new)(void);        // called on the thread that will run it
    void (*loop_run)(void *l);      // run until loop_stop
    void (*loop_stop)(void *l);     // called on the loop's own thread
    // -- W1: wake an already registered handler -----------------------------
    void (*wake_init)(void *l, task_fn cb, void *arg);
    void (*wake)(void *l);          // any thread
    // -- W2, W3: closures ----------------------------------------------------
    void (*post)(void *l, task_fn fn, void *arg);      // any thread
    void (*post_self)(void *l, task_fn fn, void *arg); // loop-thread-only short cut, if the peer has one
    // -- W4 -------------------------------------------------------------------
    void (*timers_alloc)(void *l, long n);
    void (*timer_arm)(void *l, long i, uint64_t delay_ns, task_fn cb, void *arg);
    void (*timer_cancel)(void *l, long i);
    void (*timer_repeat)(void *l, uint64_t interval_ns, task_fn cb, void *arg);
    void (*time_update)(void *l);   // set when delays count from the loop's cached clock
    void (*timers_sync)(void *l);   // set when arm/cancel are asynchronous: wait for all of them
    // -- W5 -------------------------------------------------------------------
    void (*fds_alloc)(void *l, long n);
    void (*fd_add)(void *l, long i, int fd, task_fn cb, void *arg); // call cb when readable
    // -- W6 -------------------------------------------------------------------
    void (*observer_add)(void *l);
    void (*pass)(void *l);          // one non-blocking pass
    // -- properties -----------------------------------------------------------
    bool run_in_thread;     // run the workload on a secondary thread, not on the main one
    bool eventfd_only;      // W5 with pipes is not possible
    bool loop_reads_fd;     // the loop itself reads the eventfd before calling cb
    long max_timers;        // 0: no limit
    const char *na_timer, *na_fd, *na_pass, *na_observer; // why a workload is not possible
};

// The program defines this: fill *ops for `name`, return false if unknown.
bool peer_lookup(const char *name, struct peer_ops *ops);

static inline uint64_t now_ns(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}
int harness_main(int argc, char **argv);
uint64_t rnd(void); // xorshift64*, fixed seed: the same sequence in each run
void die(const char *fmt, ...);
#endif
