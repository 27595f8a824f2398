// libevent: event_active from another thread for wakes, a list under a lock and event_active for posts, evtimer (a
// binary heap), EV_READ | EV_PERSIST. It has no observers.
#include "CHarness.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/thread.h>
#include <string.h>

struct callback {
    task_fn fn;
    void *arg;
};

struct loop {
    struct event_base *base;
    struct event *wake, *post;
    struct callback on_wake, on_repeating, *on_timer, *on_fd;
    struct task_queue tasks;
    struct event *timers, *descriptors, repeating;
};

static void call(evutil_socket_t fd, short what, void *p) {
    struct callback *c = p;
    if (c->fn) c->fn(c->arg);
}

static void on_post(evutil_socket_t fd, short what, void *p) { queue_drain(&((struct loop *)p)->tasks); }

static void use_threads(void) { evthread_use_pthreads(); }

static void *loop_new(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, use_threads);
    struct loop *l = calloc(1, sizeof *l);
    l->base = event_base_new();
    queue_init(&l->tasks);
    l->wake = event_new(l->base, -1, EV_PERSIST, call, &l->on_wake);
    l->post = event_new(l->base, -1, EV_PERSIST, on_post, l);
    return l;
}

static void loop_end(void *p) {
    struct loop *l = p;
    event_free(l->wake);
    event_free(l->post);
    event_base_free(l->base);
    free(l);
}

static void pass(void *p) {
    event_base_loop(((struct loop *)p)->base, EVLOOP_NONBLOCK | EVLOOP_NO_EXIT_ON_EMPTY);
}

static void loop_run(void *p) { event_base_loop(((struct loop *)p)->base, EVLOOP_NO_EXIT_ON_EMPTY); }
static void loop_stop(void *p) { event_base_loopbreak(((struct loop *)p)->base); }

static void wake_init(void *p, task_fn fn, void *arg) {
    ((struct loop *)p)->on_wake = (struct callback){fn, arg};
}

static void wake(void *p) { event_active(((struct loop *)p)->wake, EV_READ, 0); }

static void post(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    queue_push(&l->tasks, fn, arg);
    event_active(l->post, EV_READ, 0);
}

static void timers_alloc(void *p, long n) {
    struct loop *l = p;
    l->timers = calloc((size_t)n, sizeof *l->timers);
    l->on_timer = calloc((size_t)n, sizeof *l->on_timer);
}

static struct timeval span(uint64_t ns) {
    uint64_t us = (ns + 999) / 1000;
    return (struct timeval){(time_t)(us / 1000000), (suseconds_t)(us % 1000000)};
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    struct timeval after = span(delay);
    l->on_timer[i] = (struct callback){fn, arg};
    evtimer_assign(&l->timers[i], l->base, call, &l->on_timer[i]);
    evtimer_add(&l->timers[i], &after);
}

static void timer_cancel(void *p, long i) { evtimer_del(&((struct loop *)p)->timers[i]); }

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    struct timeval each = span(interval);
    l->on_repeating = (struct callback){fn, arg};
    event_assign(&l->repeating, l->base, -1, EV_PERSIST, call, &l->on_repeating);
    event_add(&l->repeating, &each);
}

static void fds_alloc(void *p, long n) {
    struct loop *l = p;
    l->descriptors = calloc((size_t)n, sizeof *l->descriptors);
    l->on_fd = calloc((size_t)n, sizeof *l->on_fd);
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_fd[i] = (struct callback){fn, arg};
    event_assign(&l->descriptors[i], l->base, fd, EV_READ | EV_PERSIST, call, &l->on_fd[i]);
    event_add(&l->descriptors[i], NULL);
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    *ops = (struct peer_ops){
        .version = event_get_version(),
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop, .loop_end = loop_end,
        .wake_init = wake_init, .wake = wake, .post = post,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .fds_alloc = fds_alloc, .fd_add = fd_add, .pass = pass,
        .na_observer = "it has no hooks before and after a wait",
    };
    return !strcmp(name, "libevent");
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
