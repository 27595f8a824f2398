// libuv: uv_async_t for wakes, a list under a lock and uv_async_send for posts, uv_timer_t (a binary heap, 1 ms),
// uv_poll_t, uv_prepare_t as observer.
#include "CHarness.h"

#include <string.h>
#include <uv.h>

struct timer {
    uv_timer_t handle;
    task_fn fn;
    void *arg;
};

struct descriptor {
    uv_poll_t handle;
    task_fn fn;
    void *arg;
};

struct loop {
    uv_loop_t uv;
    uv_async_t wake, post;
    uv_idle_t idle;
    task_fn wake_fn, idle_fn;
    void *wake_arg, *idle_arg;
    struct task_queue tasks;
    struct timer *timers, repeating;
    struct descriptor *descriptors;
};

static void on_wake(uv_async_t *handle) {
    struct loop *l = handle->data;
    if (l->wake_fn) l->wake_fn(l->wake_arg);
}

static void on_post(uv_async_t *handle) { queue_drain(&((struct loop *)handle->data)->tasks); }

static void *loop_new(void) {
    struct loop *l = calloc(1, sizeof *l);
    uv_loop_init(&l->uv);
    queue_init(&l->tasks);
    uv_async_init(&l->uv, &l->wake, on_wake);
    uv_async_init(&l->uv, &l->post, on_post);
    uv_idle_init(&l->uv, &l->idle);
    l->wake.data = l->post.data = l->idle.data = l;
    return l;
}

static void pass(void *p) { uv_run(&((struct loop *)p)->uv, UV_RUN_NOWAIT); }

static void loop_end(void *p) {
    struct loop *l = p;
    uv_close((uv_handle_t *)&l->wake, NULL);
    uv_close((uv_handle_t *)&l->post, NULL);
    uv_close((uv_handle_t *)&l->idle, NULL);
    pass(l);
    uv_loop_close(&l->uv);
    free(l);
}

static void loop_run(void *p) { uv_run(&((struct loop *)p)->uv, UV_RUN_DEFAULT); }
static void loop_stop(void *p) { uv_stop(&((struct loop *)p)->uv); }

static void wake_init(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    l->wake_fn = fn;
    l->wake_arg = arg;
}

static void wake(void *p) { uv_async_send(&((struct loop *)p)->wake); }

static void post(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    queue_push(&l->tasks, fn, arg);
    uv_async_send(&l->post);
}

static void on_idle(uv_idle_t *handle) {
    struct loop *l = handle->data;
    uv_idle_stop(handle);
    l->idle_fn(l->idle_arg);
}

static void post_self(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    l->idle_fn = fn;
    l->idle_arg = arg;
    uv_idle_start(&l->idle, on_idle);
}

static void on_timer(uv_timer_t *handle) {
    struct timer *timer = (struct timer *)handle;
    timer->fn(timer->arg);
}

static void timers_alloc(void *p, long n) {
    ((struct loop *)p)->timers = calloc((size_t)n, sizeof(struct timer));
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    struct timer *timer = &l->timers[i];
    timer->fn = fn;
    timer->arg = arg;
    uv_timer_init(&l->uv, &timer->handle);
    uv_timer_start(&timer->handle, on_timer, (delay + 999999) / 1000000, 0);
}

static void timer_cancel(void *p, long i) { uv_timer_stop(&((struct loop *)p)->timers[i].handle); }

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    l->repeating.fn = fn;
    l->repeating.arg = arg;
    uv_timer_init(&l->uv, &l->repeating.handle);
    uv_timer_start(&l->repeating.handle, on_timer, interval / 1000000, interval / 1000000);
}

static void time_update(void *p) { uv_update_time(&((struct loop *)p)->uv); }

static void on_fd(uv_poll_t *handle, int status, int events) {
    struct descriptor *descriptor = (struct descriptor *)handle;
    descriptor->fn(descriptor->arg);
}

static void fds_alloc(void *p, long n) {
    ((struct loop *)p)->descriptors = calloc((size_t)n, sizeof(struct descriptor));
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    struct descriptor *descriptor = &l->descriptors[i];
    descriptor->fn = fn;
    descriptor->arg = arg;
    uv_poll_init(&l->uv, &descriptor->handle, fd);
    uv_poll_start(&descriptor->handle, UV_READABLE, on_fd);
}

static void on_prepare(uv_prepare_t *handle) { ++*(long *)handle->data; }

static void observer_add(void *p, long *calls) {
    uv_prepare_t *handle = calloc(1, sizeof *handle);
    uv_prepare_init(&((struct loop *)p)->uv, handle);
    handle->data = calls;
    uv_prepare_start(handle, on_prepare);
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    *ops = (struct peer_ops){
        .version = uv_version_string(),
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop, .loop_end = loop_end,
        .wake_init = wake_init, .wake = wake, .post = post, .post_self = post_self,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .time_update = time_update,
        .fds_alloc = fds_alloc, .fd_add = fd_add, .observer_add = observer_add, .pass = pass,
    };
    return !strcmp(name, "libuv");
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
