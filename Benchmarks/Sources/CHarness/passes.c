// w6 and other: what a pass costs in which nothing is to do. N: passes, or how much others hold.
#include "workload.h"

#include <sys/eventfd.h>

static void need_pass(void) {
    if (!ops.pass) not_possible(ops.na_pass);
    make_loop();
    if (ops.wake_init) ops.wake_init(LA, nothing, NULL);
}

static void measure_passes(long passes) {
    for (int i = 0; i < 100; i++) ops.pass(LA);
    region_begin();
    chunk_start(passes);
    for (long i = 0; i < passes; i++) {
        ops.pass(LA);
        chunk_tick();
    }
    region_end();
}

// -- w6o0, w6o1, w6o10: with so many observers, of every activity, that count their calls -----------

static void w6(int observers) {
    if (observers && !ops.observer_add) not_possible(ops.na_observer);
    need_pass();
    long calls = 0;
    for (int i = 0; i < observers; i++) ops.observer_add(LA, &calls);
    for (int i = 0; i < 100; i++) ops.pass(LA);
    long before = calls;
    measure_passes(N);
    // A hundred of the passes were not measured.
    double each = (double)(calls - before) / (double)(N + 100);
    emit_chunked(region_ns(), (double)N, "calls=%.3f", each);
}

void w6o0(void) { w6(0); }
void w6o1(void) { w6(1); }
void w6o10(void) { w6(10); }

// -- w6d: with a descriptor that is never ready -------------------------------------------

void w6d(void) {
    need_fds();
    need_pass();
    ops.fds_alloc(LA, 1);
    ops.fd_add(LA, 0, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), nothing, NULL);
    measure_passes(N);
    emit_chunked(region_ns(), (double)N, "");
}

// -- other-…: N blocks for another mode, N sources that nobody signals, N observers of another mode ----

static void with_others(enum others what) {
    NEED(others_add);
    NEED(post);
    need_pass();
    uint64_t began = now_ns();
    const long batch = 128;
    for (long done = 0; done < N; done += batch) {
        ops.others_add(LA, what, N - done < batch ? N - done : batch);
        cap_check(done + batch, "add", began);
    }
    for (int i = 0; i < 3; i++) ops.pass(LA);
    const long most = 10000;
    long passes = 0;
    region_begin();
    began = now_ns();
    while (passes < most && now_ns() - began < 50000000) {
        for (int i = 0; i < 10; i++) ops.pass(LA);
        passes += 10;
    }
    region_end();
    double pass = region_ns() / (double)passes;
    long posts = 0;
    began = now_ns();
    while (posts < most && now_ns() - began < 50000000) {
        for (int i = 0; i < 10; i++) ops.post(LA, nothing, NULL);
        ops.pass(LA);
        posts += 10;
    }
    double post = (double)(now_ns() - began) / (double)posts;
    emit(region_ns(), (double)passes, "pass_ns=%.1f post_ns=%.1f", pass, post);
}

void other_blocks(void) { with_others(OTHER_BLOCKS); }
void other_sources(void) { with_others(OTHER_SOURCES); }
void other_observers(void) { with_others(OTHER_OBSERVERS); }
