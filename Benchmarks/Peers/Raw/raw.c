// raw: what one writes by hand in an afternoon. epoll_wait and a level-triggered eventfd that is written at each post
// and read at each wake, a list of tasks under a lock, a timerfd for each timer. No cleverness: it is the plain
// reference.
#include "floors.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct source {
    task_fn fn;
    void *arg;
    int fd;
    bool is_timer;
};

struct loop {
    int epoll, event;
    bool is_stopped;
    struct task_queue tasks;
    task_fn wake_fn;
    void *wake_arg;
    struct source *timers, *descriptors, repeating;
    long observer_count, *observed[16];
};

static void *loop_new(void) {
    struct loop *l = calloc(1, sizeof *l);
    l->epoll = epoll_create1(EPOLL_CLOEXEC);
    l->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    epoll_ctl(l->epoll, EPOLL_CTL_ADD, l->event, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
    queue_init(&l->tasks);
    return l;
}

static void loop_end(void *p) {
    struct loop *l = p;
    close(l->epoll);
    close(l->event);
    free(l);
}

static void on_event(struct loop *l) {
    uint64_t count;
    if (read(l->event, &count, sizeof count) < 0) return;
    if (l->wake_fn) l->wake_fn(l->wake_arg);
    queue_drain(&l->tasks);
}

static void on_source(struct source *s) {
    uint64_t count;
    if (s->is_timer && read(s->fd, &count, sizeof count) < 0) return;
    s->fn(s->arg);
}

static void pass_for(struct loop *l, int timeout) {
    struct epoll_event events[256];
    for (long i = 0; i < l->observer_count; i++) ++*l->observed[i];
    int n = epoll_wait(l->epoll, events, 256, timeout);
    for (int i = 0; i < n; i++) {
        if (events[i].data.ptr) on_source(events[i].data.ptr);
        else on_event(l);
    }
}

static void pass(void *p) { pass_for(p, 0); }

static void loop_run(void *p) {
    struct loop *l = p;
    while (!l->is_stopped) pass_for(l, -1);
}

static void loop_stop(void *p) { ((struct loop *)p)->is_stopped = true; }

static void wake_init(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    l->wake_fn = fn;
    l->wake_arg = arg;
}

static void wake(void *p) {
    uint64_t one = 1;
    if (write(((struct loop *)p)->event, &one, sizeof one) < 0) die("write: %s", strerror(errno));
}

static void post(void *p, task_fn fn, void *arg) {
    queue_push(&((struct loop *)p)->tasks, fn, arg);
    wake(p);
}

static void timers_alloc(void *p, long n) {
    struct rlimit limit, wanted = {(rlim_t)n + 256, (rlim_t)n + 256};
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < wanted.rlim_cur) setrlimit(RLIMIT_NOFILE, &wanted);
    ((struct loop *)p)->timers = calloc((size_t)n, sizeof(struct source));
}

static struct timespec span(uint64_t ns) {
    return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

static void start(struct loop *l, struct source *s, uint64_t delay, uint64_t interval, task_fn fn, void *arg) {
    *s = (struct source){fn, arg, timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), true};
    if (s->fd < 0) die("timerfd: %s", strerror(errno));
    // A delay of zero would take the date away.
    struct itimerspec setting = {.it_interval = span(interval), .it_value = span(delay ? delay : 1)};
    timerfd_settime(s->fd, 0, &setting, NULL);
    epoll_ctl(l->epoll, EPOLL_CTL_ADD, s->fd, &(struct epoll_event){.events = EPOLLIN, .data.ptr = s});
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    start(l, &l->timers[i], delay, 0, fn, arg);
}

static void timer_cancel(void *p, long i) { close(((struct loop *)p)->timers[i].fd); }

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    start(l, &l->repeating, interval, interval, fn, arg);
}

static void fds_alloc(void *p, long n) {
    ((struct loop *)p)->descriptors = calloc((size_t)n, sizeof(struct source));
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    struct source *s = &l->descriptors[i];
    *s = (struct source){fn, arg, fd, false};
    epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN, .data.ptr = s});
}

static void observer_add(void *p, long *calls) {
    struct loop *l = p;
    l->observed[l->observer_count++] = calls;
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    if (floor_lookup(name, ops)) return true;
    // A process of one thread pays less for each call that names a descriptor: the kernel counts no reference of it.
    bool in_thread = !strcmp(name, "raw-thread");
    if (!in_thread && strcmp(name, "raw")) return false;
    *ops = (struct peer_ops){
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop, .loop_end = loop_end,
        .wake_init = wake_init, .wake = wake, .post = post,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .fds_alloc = fds_alloc, .fd_add = fd_add,
        .observer_add = observer_add, .pass = pass,
        .run_in_thread = in_thread, .max_timers = 15000, .na_timer = "a timerfd for each timer: out of descriptors",
    };
    return true;
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
