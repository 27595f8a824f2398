// libev: ev_async for wakes, a list under a lock and ev_async_send for posts, ev_timer (a 4-ary heap), ev_io,
// ev_prepare as observer.
#include "CHarness.h"

#include <ev.h>
#include <stdio.h>
#include <string.h>

struct callback {
    task_fn fn;
    void *arg;
};

struct loop {
    struct ev_loop *ev;
    ev_async wake, post;
    ev_prepare self;
    struct callback on_wake, on_self, on_repeating, *on_timer, *on_fd;
    struct task_queue tasks;
    ev_timer *timers, repeating;
    ev_io *descriptors;
};

static void call(struct callback *c) {
    if (c->fn) c->fn(c->arg);
}

static void on_wake(struct ev_loop *ev, ev_async *watcher, int events) {
    call(&((struct loop *)watcher->data)->on_wake);
}

static void on_post(struct ev_loop *ev, ev_async *watcher, int events) {
    queue_drain(&((struct loop *)watcher->data)->tasks);
}

static void on_self(struct ev_loop *ev, ev_prepare *watcher, int events) {
    call(&((struct loop *)watcher->data)->on_self);
}

static void *loop_new(void) {
    struct loop *l = calloc(1, sizeof *l);
    l->ev = ev_loop_new(EVFLAG_AUTO);
    queue_init(&l->tasks);
    ev_async_init(&l->wake, on_wake);
    ev_async_init(&l->post, on_post);
    ev_prepare_init(&l->self, on_self);
    l->wake.data = l->post.data = l->self.data = l;
    ev_async_start(l->ev, &l->wake);
    ev_async_start(l->ev, &l->post);
    return l;
}

static void loop_end(void *p) {
    struct loop *l = p;
    ev_loop_destroy(l->ev);
    free(l);
}

static void pass(void *p) { ev_run(((struct loop *)p)->ev, EVRUN_NOWAIT); }
static void loop_run(void *p) { ev_run(((struct loop *)p)->ev, 0); }
static void loop_stop(void *p) { ev_break(((struct loop *)p)->ev, EVBREAK_ALL); }

static void wake_init(void *p, task_fn fn, void *arg) {
    ((struct loop *)p)->on_wake = (struct callback){fn, arg};
}

static void wake(void *p) {
    struct loop *l = p;
    ev_async_send(l->ev, &l->wake);
}

static void post(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    queue_push(&l->tasks, fn, arg);
    ev_async_send(l->ev, &l->post);
}

static void post_self(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_self = (struct callback){fn, arg};
    ev_feed_event(l->ev, &l->self, EV_CUSTOM);
}

static void on_timer(struct ev_loop *ev, ev_timer *watcher, int events) { call(watcher->data); }

static void timers_alloc(void *p, long n) {
    struct loop *l = p;
    l->timers = calloc((size_t)n, sizeof *l->timers);
    l->on_timer = calloc((size_t)n, sizeof *l->on_timer);
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_timer[i] = (struct callback){fn, arg};
    ev_timer_init(&l->timers[i], on_timer, (double)delay * 1e-9, 0.);
    l->timers[i].data = &l->on_timer[i];
    ev_timer_start(l->ev, &l->timers[i]);
}

static void timer_cancel(void *p, long i) {
    struct loop *l = p;
    ev_timer_stop(l->ev, &l->timers[i]);
}

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_repeating = (struct callback){fn, arg};
    ev_timer_init(&l->repeating, on_timer, (double)interval * 1e-9, (double)interval * 1e-9);
    l->repeating.data = &l->on_repeating;
    ev_timer_start(l->ev, &l->repeating);
}

static void time_update(void *p) { ev_now_update(((struct loop *)p)->ev); }

static void on_fd(struct ev_loop *ev, ev_io *watcher, int events) { call(watcher->data); }

static void fds_alloc(void *p, long n) {
    struct loop *l = p;
    l->descriptors = calloc((size_t)n, sizeof *l->descriptors);
    l->on_fd = calloc((size_t)n, sizeof *l->on_fd);
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_fd[i] = (struct callback){fn, arg};
    ev_io_init(&l->descriptors[i], on_fd, fd, EV_READ);
    l->descriptors[i].data = &l->on_fd[i];
    ev_io_start(l->ev, &l->descriptors[i]);
}

static void on_prepare(struct ev_loop *ev, ev_prepare *watcher, int events) { ++*(long *)watcher->data; }

static void observer_add(void *p, long *calls) {
    ev_prepare *watcher = calloc(1, sizeof *watcher);
    ev_prepare_init(watcher, on_prepare);
    watcher->data = calls;
    ev_prepare_start(((struct loop *)p)->ev, watcher);
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    static char version[16];
    snprintf(version, sizeof version, "%d.%d", ev_version_major(), ev_version_minor());
    *ops = (struct peer_ops){
        .version = version,
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop, .loop_end = loop_end,
        .wake_init = wake_init, .wake = wake, .post = post, .post_self = post_self,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .time_update = time_update,
        .fds_alloc = fds_alloc, .fd_add = fd_add, .observer_add = observer_add, .pass = pass,
    };
    return !strcmp(name, "libev");
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
