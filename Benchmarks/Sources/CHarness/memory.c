// w7t, w7f: how much memory N timers, or N descriptors, take. The kernel's part is not in it.
#include "workload.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void emit_growth(long before) {
    // What is asynchronous has come to rest by then.
    if (ops.timers_sync) nanosleep(&(struct timespec){0, 300000000}, NULL);
    emit_figure((double)(rss_bytes() - before) / (double)N, "unit=bytes");
    _exit(0);
}

void w7t(void) {
    need_timers();
    make_loop();
    if (ops.pass) ops.pass(LA);
    uint64_t *delays = malloc(sizeof *delays * (size_t)N);
    for (long i = 0; i < N; i++) delays[i] = 1000000000 + rnd() % 3599000000000;
    long before = rss_bytes();
    uint64_t began = now_ns();
    if (!ops.timer_plain) ops.timers_alloc(LA, N);
    if (ops.time_update) ops.time_update(LA);
    for (long i = 0; i < N; i++) {
        if (ops.timer_plain) ops.timer_plain(LA, delays[i]);
        else ops.timer_arm(LA, i, delays[i], nothing, NULL);
        cap_check(i + 1, "arm", began);
    }
    if (ops.pass) ops.pass(LA);
    emit_growth(before);
}

void w7f(void) {
    need_fds();
    raise_nofile(N + 256);
    int *descriptors = malloc(sizeof *descriptors * (size_t)N);
    for (long i = 0; i < N; i++) {
        descriptors[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (descriptors[i] < 0) die("descriptor %ld: %s", i, strerror(errno));
    }
    make_loop();
    if (ops.pass) ops.pass(LA);
    long before = rss_bytes();
    if (!ops.fd_plain) ops.fds_alloc(LA, N);
    for (long i = 0; i < N; i++) {
        if (ops.fd_plain) ops.fd_plain(LA, descriptors[i]);
        else ops.fd_add(LA, i, descriptors[i], nothing, NULL);
    }
    if (ops.pass) ops.pass(LA);
    emit_growth(before);
}
