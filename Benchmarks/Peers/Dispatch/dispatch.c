// dispatch: a serial queue on the pool of threads stands for the loop. It is not bound to a thread, so that part of
// its wakes stay on one.
#include "CHarness.h"

#include <dispatch/dispatch.h>
#include <string.h>

struct callback {
    task_fn fn;
    void *arg;
};

struct loop {
    dispatch_queue_t queue;
    dispatch_semaphore_t end;
    struct callback on_wake, on_repeating, *on_timer, *on_fd;
    dispatch_source_t *timers;
    long timer_count;
};

static long cancelled;

static void *loop_new(void) {
    struct loop *l = calloc(1, sizeof *l);
    l->queue = dispatch_queue_create("loop", DISPATCH_QUEUE_SERIAL);
    l->end = dispatch_semaphore_create(0);
    return l;
}

static void loop_run(void *p) { dispatch_semaphore_wait(((struct loop *)p)->end, DISPATCH_TIME_FOREVER); }
static void loop_stop(void *p) { dispatch_semaphore_signal(((struct loop *)p)->end); }

static void wake_init(void *p, task_fn fn, void *arg) {
    ((struct loop *)p)->on_wake = (struct callback){fn, arg};
}

static void wake(void *p) {
    struct loop *l = p;
    dispatch_async(l->queue, ^{ l->on_wake.fn(l->on_wake.arg); });
}

static void post(void *p, task_fn fn, void *arg) {
    dispatch_async(((struct loop *)p)->queue, ^{ fn(arg); });
}

static void call(void *p) {
    struct callback *c = p;
    c->fn(c->arg);
}

static void on_cancelled(void *unused) { __atomic_fetch_add(&cancelled, 1, __ATOMIC_SEQ_CST); }

static dispatch_source_t add_timer(struct loop *l, uint64_t delay, uint64_t interval, struct callback *c) {
    dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, l->queue);
    dispatch_set_context(source, c);
    dispatch_source_set_event_handler_f(source, call);
    dispatch_source_set_cancel_handler_f(source, on_cancelled);
    dispatch_source_set_timer(source, dispatch_time(DISPATCH_TIME_NOW, (int64_t)delay), interval, 0);
    dispatch_activate(source);
    return source;
}

static void timers_alloc(void *p, long n) {
    struct loop *l = p;
    l->timers = calloc((size_t)n, sizeof *l->timers);
    l->on_timer = calloc((size_t)n, sizeof *l->on_timer);
    l->timer_count = n;
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_timer[i] = (struct callback){fn, arg};
    l->timers[i] = add_timer(l, delay, DISPATCH_TIME_FOREVER, &l->on_timer[i]);
}

static void timer_cancel(void *p, long i) {
    struct loop *l = p;
    dispatch_source_cancel(l->timers[i]);
    dispatch_release(l->timers[i]);
}

static void timers_sync(void *p) {
    struct loop *l = p;
    while (__atomic_load_n(&cancelled, __ATOMIC_SEQ_CST) < l->timer_count)
        nanosleep(&(struct timespec){0, 50000}, NULL);
}

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_repeating = (struct callback){fn, arg};
    add_timer(l, interval, interval, &l->on_repeating);
}

static void fds_alloc(void *p, long n) {
    struct loop *l = p;
    l->on_fd = calloc((size_t)n, sizeof *l->on_fd);
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_fd[i] = (struct callback){fn, arg};
    dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)fd, 0, l->queue);
    dispatch_set_context(source, &l->on_fd[i]);
    dispatch_source_set_event_handler_f(source, call);
    dispatch_activate(source);
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    *ops = (struct peer_ops){
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop,
        .wake_init = wake_init, .wake = wake, .post = post,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .timers_sync = timers_sync, .fds_alloc = fds_alloc, .fd_add = fd_add,
        .na_pass = "a queue has no pass",
    };
    return !strcmp(name, "dispatch");
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
