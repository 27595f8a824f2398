// The workloads that run loops are compared by. A peer is a loop and a way of using it: its program fills in one
// `struct peer_ops`, and its main calls harness_main, which runs one workload and prints one line.
#ifndef CHARNESS_H
#define CHARNESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef void (*task_fn)(void *arg);

// What the workload `other-…` adds that is none of the pass's business.
enum others { OTHER_BLOCKS, OTHER_SOURCES, OTHER_OBSERVERS };

// A hook that is NULL makes the workloads that need it print "n/a". All but `wake` and `post` are called on the
// thread that runs the loop.
struct peer_ops {
    const char *name;
    const char *version;            // of the library, if it tells
    // -- the loop -----------------------------------------------------------
    void *(*loop_new)(void);
    void (*loop_run)(void *l);      // run until loop_stop
    void (*loop_stop)(void *l);
    void (*loop_end)(void *l);      // give back what it holds; the thread ends next
    // -- w1: wake a handler that is registered already -------------------------
    void (*wake_init)(void *l, task_fn cb, void *arg);
    void (*wake)(void *l);          // any thread
    // -- w2, w3: closures ------------------------------------------------------
    void (*post)(void *l, task_fn fn, void *arg);       // any thread
    void (*post_self)(void *l, task_fn fn, void *arg);  // a short cut for the loop's own thread, if there is one
    // -- w4: timers ------------------------------------------------------------
    void (*timers_alloc)(void *l, long n);
    void (*timer_arm)(void *l, long i, uint64_t delay_ns, task_fn cb, void *arg);
    void (*timer_cancel)(void *l, long i);
    void (*timer_repeat)(void *l, uint64_t interval_ns, task_fn cb, void *arg);
    void (*time_update)(void *l);   // where delays count from the clock as the loop read it last
    void (*timers_sync)(void *l);   // where arm and cancel are asynchronous: wait for all of them
    // -- w5: descriptors -------------------------------------------------------
    void (*fds_alloc)(void *l, long n);
    void (*fd_add)(void *l, long i, int fd, task_fn cb, void *arg);  // call cb when it is readable
    // -- w6: passes ------------------------------------------------------------
    void (*observer_add)(void *l, long *calls);  // of every activity; adds one to *calls each time it is called
    void (*pass)(void *l);                       // one that does not wait
    void (*others_add)(void *l, enum others what, long n);
    // -- modes -----------------------------------------------------------------
    void (*common_modes)(void *l, long n);  // make n modes more that are common
    void (*common_timer)(void *l);          // add an armed timer to the common modes, and take it away
    // -- w7: memory, where a callback's context is not the loop's; else timer_arm and fd_add are measured ---------
    void (*timer_plain)(void *l, uint64_t delay_ns);
    void (*fd_plain)(void *l, int fd);
    // -- properties ------------------------------------------------------------
    bool run_in_thread;     // run the workload on a secondary thread, not on the main one
    bool can_nest;          // a pass may be made from a callback
    bool eventfd_only;      // pipes cannot be waited for
    bool loop_reads_fd;     // the loop itself reads the eventfd before it calls cb
    long max_timers;        // 0: no limit
    const char *na_all, *na_timer, *na_fd, *na_pass, *na_observer;  // why a workload is not possible
};

// The program defines this: fill *ops for `name`, return false if unknown.
bool peer_lookup(const char *name, struct peer_ops *ops);

int harness_main(int argc, char **argv);

static inline uint64_t now_ns(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

void die(const char *format, ...);

#include "task_queue.h"
#endif
