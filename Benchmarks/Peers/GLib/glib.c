// GLib: a source of its own and g_main_context_wakeup for wakes, g_idle_source_new and g_source_attach for posts (as
// g_main_context_invoke_full does for another thread's context), g_timeout_source (1 ms), g_unix_fd_source.
#include "CHarness.h"

#include <glib-unix.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

struct callback {
    task_fn fn;
    void *arg;
};

struct loop {
    GMainContext *context;
    GMainLoop *main;
    int is_woken;
    struct callback on_wake, on_repeating, *on_timer, *on_fd;
    GSource **timers;
};

static void *loop_new(void) {
    struct loop *l = calloc(1, sizeof *l);
    l->context = g_main_context_new();
    g_main_context_push_thread_default(l->context);
    l->main = g_main_loop_new(l->context, FALSE);
    return l;
}

static void loop_end(void *p) {
    struct loop *l = p;
    g_main_context_pop_thread_default(l->context);
    g_main_loop_unref(l->main);
    g_main_context_unref(l->context);
    free(l);
}

static void pass(void *p) { g_main_context_iteration(((struct loop *)p)->context, FALSE); }
static void loop_run(void *p) { g_main_loop_run(((struct loop *)p)->main); }
static void loop_stop(void *p) { g_main_loop_quit(((struct loop *)p)->main); }

// -- wakes ----------------------------------------------------------------------

struct wake_source {
    GSource source;
    struct loop *loop;
};

static gboolean is_woken(GSource *source) {
    return __atomic_load_n(&((struct wake_source *)source)->loop->is_woken, __ATOMIC_ACQUIRE);
}

static gboolean wake_prepare(GSource *source, gint *timeout) {
    *timeout = -1;
    return is_woken(source);
}

static gboolean wake_dispatch(GSource *source, GSourceFunc unused, gpointer data) {
    struct loop *l = ((struct wake_source *)source)->loop;
    __atomic_store_n(&l->is_woken, 0, __ATOMIC_SEQ_CST);
    l->on_wake.fn(l->on_wake.arg);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs wake_functions = {.prepare = wake_prepare, .check = is_woken, .dispatch = wake_dispatch};

static void wake_init(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_wake = (struct callback){fn, arg};
    GSource *source = g_source_new(&wake_functions, sizeof(struct wake_source));
    ((struct wake_source *)source)->loop = l;
    g_source_attach(source, l->context);
}

static void wake(void *p) {
    struct loop *l = p;
    __atomic_store_n(&l->is_woken, 1, __ATOMIC_SEQ_CST);
    g_main_context_wakeup(l->context);
}

// -- posts and timers --------------------------------------------------------------

static gboolean call_once(gpointer p) {
    struct callback *c = p;
    c->fn(c->arg);
    return G_SOURCE_REMOVE;
}

static gboolean call_again(gpointer p) {
    struct callback *c = p;
    c->fn(c->arg);
    return G_SOURCE_CONTINUE;
}

static void post(void *p, task_fn fn, void *arg) {
    struct callback *c = malloc(sizeof *c);
    *c = (struct callback){fn, arg};
    GSource *source = g_idle_source_new();
    g_source_set_priority(source, G_PRIORITY_DEFAULT);
    g_source_set_callback(source, call_once, c, free);
    g_source_attach(source, ((struct loop *)p)->context);
    g_source_unref(source);
}

static void timers_alloc(void *p, long n) {
    struct loop *l = p;
    l->timers = calloc((size_t)n, sizeof *l->timers);
    l->on_timer = calloc((size_t)n, sizeof *l->on_timer);
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_timer[i] = (struct callback){fn, arg};
    GSource *source = g_timeout_source_new((guint)((delay + 999999) / 1000000));
    g_source_set_callback(source, call_once, &l->on_timer[i], NULL);
    g_source_attach(source, l->context);
    l->timers[i] = source;
}

static void timer_cancel(void *p, long i) {
    struct loop *l = p;
    g_source_destroy(l->timers[i]);
    g_source_unref(l->timers[i]);
}

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_repeating = (struct callback){fn, arg};
    GSource *source = g_timeout_source_new((guint)(interval / 1000000));
    g_source_set_callback(source, call_again, &l->on_repeating, NULL);
    g_source_attach(source, l->context);
}

// -- descriptors and observers --------------------------------------------------------

static gboolean on_fd(gint fd, GIOCondition condition, gpointer p) { return call_again(p); }

static void fds_alloc(void *p, long n) {
    struct loop *l = p;
    l->on_fd = calloc((size_t)n, sizeof *l->on_fd);
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_fd[i] = (struct callback){fn, arg};
    GSource *source = g_unix_fd_source_new(fd, G_IO_IN);
    g_source_set_callback(source, (GSourceFunc)(void *)on_fd, &l->on_fd[i], NULL);
    g_source_attach(source, l->context);
    g_source_unref(source);
}

struct observer {
    GSource source;
    long *calls;
};

static gboolean observer_prepare(GSource *source, gint *timeout) {
    ++*((struct observer *)source)->calls;
    *timeout = -1;
    return FALSE;
}

static GSourceFuncs observer_functions = {.prepare = observer_prepare};

static void observer_add(void *p, long *calls) {
    GSource *source = g_source_new(&observer_functions, sizeof(struct observer));
    ((struct observer *)source)->calls = calls;
    g_source_attach(source, ((struct loop *)p)->context);
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    static char version[32];
    snprintf(version, sizeof version, "%u.%u.%u", glib_major_version, glib_minor_version, glib_micro_version);
    *ops = (struct peer_ops){
        .version = version,
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop, .loop_end = loop_end,
        .wake_init = wake_init, .wake = wake, .post = post,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .fds_alloc = fds_alloc, .fd_add = fd_add,
        .observer_add = observer_add, .pass = pass, .can_nest = true,
    };
    return !strcmp(name, "glib");
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
