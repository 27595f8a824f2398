// cfrl, cfrl-main: CFRunLoop as Swift's Foundation on Linux has it, on a secondary thread and on the main one, where
// each pass also puts the main dispatch queue's descriptor into the mode's set and takes it out.
#include "CHarness.h"

#include <CoreFoundation/CFRunLoop.h>
#include <string.h>

struct callback {
    task_fn fn;
    void *arg;
};

struct descriptor {
    struct callback callback;
    int fd;
};

struct loop {
    CFRunLoopRef cf;
    CFRunLoopSourceRef wake;
    struct callback on_wake, on_repeating, *on_timer;
    CFRunLoopTimerRef *timers;
    struct descriptor *descriptors;
};

static void call(void *p) {
    struct callback *c = p;
    if (c->fn) c->fn(c->arg);
}

static void *loop_new(void) {
    struct loop *l = calloc(1, sizeof *l);
    l->cf = CFRunLoopGetCurrent();
    CFRunLoopSourceContext context = {.version = 0, .info = &l->on_wake, .perform = call};
    l->wake = CFRunLoopSourceCreate(NULL, 0, &context);
    CFRunLoopAddSource(l->cf, l->wake, kCFRunLoopDefaultMode);
    return l;
}

static void loop_end(void *p) {
    struct loop *l = p;
    CFRunLoopSourceInvalidate(l->wake);
    CFRelease(l->wake);
    free(l);
}

static void pass(void *unused) { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true); }
static void loop_run(void *unused) { CFRunLoopRun(); }
static void loop_stop(void *p) { CFRunLoopStop(((struct loop *)p)->cf); }

static void wake_init(void *p, task_fn fn, void *arg) {
    ((struct loop *)p)->on_wake = (struct callback){fn, arg};
}

static void wake(void *p) {
    struct loop *l = p;
    CFRunLoopSourceSignal(l->wake);
    CFRunLoopWakeUp(l->cf);
}

static void post(void *p, task_fn fn, void *arg) {
    struct loop *l = p;
    CFRunLoopPerformBlock(l->cf, kCFRunLoopDefaultMode, ^{ fn(arg); });
    CFRunLoopWakeUp(l->cf);
}

static void on_timer(CFRunLoopTimerRef timer, void *p) { call(p); }

static CFRunLoopTimerRef add_timer(struct loop *l, uint64_t delay, uint64_t interval, struct callback *c) {
    CFRunLoopTimerContext context = {.version = 0, .info = c};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(
        NULL, CFAbsoluteTimeGetCurrent() + (double)delay * 1e-9, (double)interval * 1e-9, 0, 0, on_timer, &context);
    CFRunLoopAddTimer(l->cf, timer, kCFRunLoopDefaultMode);
    return timer;
}

static void timers_alloc(void *p, long n) {
    struct loop *l = p;
    l->timers = calloc((size_t)n, sizeof *l->timers);
    l->on_timer = calloc((size_t)n, sizeof *l->on_timer);
}

static void timer_arm(void *p, long i, uint64_t delay, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_timer[i] = (struct callback){fn, arg};
    l->timers[i] = add_timer(l, delay, 0, &l->on_timer[i]);
}

static void timer_cancel(void *p, long i) {
    struct loop *l = p;
    CFRunLoopTimerInvalidate(l->timers[i]);
    CFRelease(l->timers[i]);
}

static void timer_repeat(void *p, uint64_t interval, task_fn fn, void *arg) {
    struct loop *l = p;
    l->on_repeating = (struct callback){fn, arg};
    add_timer(l, interval, interval, &l->on_repeating);
}

static int get_port(void *p) { return ((struct descriptor *)p)->fd; }

static void fds_alloc(void *p, long n) {
    struct loop *l = p;
    l->descriptors = calloc((size_t)n, sizeof *l->descriptors);
}

static void fd_add(void *p, long i, int fd, task_fn fn, void *arg) {
    struct loop *l = p;
    l->descriptors[i] = (struct descriptor){{fn, arg}, fd};
    CFRunLoopSourceContext1 context = {
        .version = 1, .info = &l->descriptors[i], .getPort = get_port, .perform = call};
    CFRunLoopSourceRef source = CFRunLoopSourceCreate(NULL, 0, (CFRunLoopSourceContext *)&context);
    CFRunLoopAddSource(l->cf, source, kCFRunLoopDefaultMode);
}

static void on_activity(CFRunLoopObserverRef observer, CFRunLoopActivity activity, void *calls) { ++*(long *)calls; }

static void add_observer(struct loop *l, long *calls, CFStringRef mode) {
    CFRunLoopObserverContext context = {.version = 0, .info = calls};
    CFRunLoopObserverRef observer =
        CFRunLoopObserverCreate(NULL, kCFRunLoopAllActivities, true, 0, on_activity, &context);
    CFRunLoopAddObserver(l->cf, observer, mode);
    CFRelease(observer);
}

static void observer_add(void *p, long *calls) { add_observer(p, calls, kCFRunLoopDefaultMode); }

static void others_add(void *p, enum others what, long n) {
    struct loop *l = p;
    static long calls;
    static struct callback none;
    CFStringRef other = CFSTR("other");
    for (long i = 0; i < n; i++) {
        if (what == OTHER_BLOCKS) {
            CFRunLoopPerformBlock(l->cf, other, ^{});
        } else if (what == OTHER_OBSERVERS) {
            add_observer(l, &calls, other);
        } else {
            CFRunLoopSourceContext context = {.version = 0, .info = &none, .perform = call};
            CFRunLoopSourceRef source = CFRunLoopSourceCreate(NULL, 0, &context);
            CFRunLoopAddSource(l->cf, source, kCFRunLoopDefaultMode);
            CFRelease(source);
        }
    }
}

static void common_modes(void *p, long n) {
    static long made;
    struct loop *l = p;
    for (long i = 0; i < n; i++) {
        CFStringRef name = CFStringCreateWithFormat(NULL, NULL, CFSTR("common %ld"), made++);
        CFRunLoopAddCommonMode(l->cf, name);
        CFRelease(name);
    }
}

static void common_timer(void *p) {
    struct loop *l = p;
    CFRunLoopTimerContext context = {.version = 0, .info = &l->on_repeating};
    CFRunLoopTimerRef timer =
        CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent() + 3600, 0, 0, 0, on_timer, &context);
    CFRunLoopAddTimer(l->cf, timer, kCFRunLoopCommonModes);
    CFRunLoopTimerInvalidate(timer);
    CFRelease(timer);
}

bool peer_lookup(const char *name, struct peer_ops *ops) {
    bool is_main = !strcmp(name, "cfrl-main");
    *ops = (struct peer_ops){
        .loop_new = loop_new, .loop_run = loop_run, .loop_stop = loop_stop, .loop_end = loop_end,
        .wake_init = wake_init, .wake = wake, .post = post,
        .timers_alloc = timers_alloc, .timer_arm = timer_arm, .timer_cancel = timer_cancel,
        .timer_repeat = timer_repeat, .fds_alloc = fds_alloc, .fd_add = fd_add,
        .observer_add = observer_add, .pass = pass, .others_add = others_add,
        .common_modes = common_modes, .common_timer = common_timer, .can_nest = true,
        .run_in_thread = !is_main, .eventfd_only = true, .loop_reads_fd = true,
    };
    return is_main || !strcmp(name, "cfrl");
}

int main(int argc, char **argv) { return harness_main(argc, argv); }
