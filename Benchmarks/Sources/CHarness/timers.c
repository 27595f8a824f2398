// w4a, w4r, w4p, w4f: what timers cost. N: timers that are armed.
#include "workload.h"

static const uint64_t second = 1000000000;

static uint64_t far_delay(void) { return second + rnd() % (3599 * second); }

static void make_timers(long n) {
    make_loop();
    ops.timers_alloc(LA, n);
    if (ops.time_update) ops.time_update(LA);
}

// All are armed, then all are cancelled in the order of arming.
void w4a(void) {
    need_timers();
    NEED(timer_cancel);
    uint64_t *delays = malloc(sizeof *delays * (size_t)N);
    for (long i = 0; i < N; i++) delays[i] = far_delay();
    make_timers(N);
    region_begin();
    uint64_t began = now_ns();
    for (long i = 0; i < N; i++) {
        ops.timer_arm(LA, i, delays[i], nothing, NULL);
        cap_check(i + 1, "arm", began);
    }
    uint64_t armed = now_ns(), pass_ns = 0;
    for (int k = 0; ops.pass && k < 3; k++) {
        uint64_t before = now_ns();
        ops.pass(LA);
        pass_ns = now_ns() - before;
    }
    uint64_t cancelling = now_ns();
    for (long i = 0; i < N; i++) {
        ops.timer_cancel(LA, i);
        cap_check(i + 1, "cancel", cancelling);
    }
    if (ops.timers_sync) ops.timers_sync(LA);
    uint64_t cancelled = now_ns();
    region_end();
    double arm = (double)(armed - began), cancel = (double)(cancelled - cancelling), n = (double)N;
    emit(arm + cancel, n, "arm_ns=%.1f cancel_ns=%.1f pass_ns=%llu", arm / n, cancel / n,
         (unsigned long long)pass_ns);
}

// One timer is armed and cancelled over and over among N others, as a keep-alive is.
void w4r(void) {
    need_timers();
    NEED(timer_cancel);
    make_timers(N + 1);
    for (long i = 0; i < N; i++) ops.timer_arm(LA, i, far_delay(), nothing, NULL);
    if (ops.pass) ops.pass(LA);
    long done = 0;
    region_begin();
    uint64_t began = now_ns();
    while (done < 20000) {
        ops.timer_arm(LA, N, 60 * second, nothing, NULL);
        ops.timer_cancel(LA, N);
        done++;
        if ((done & 127) == 0 && now_ns() - began > second) break;
    }
    region_end();
    emit(region_ns(), (double)done, "");
}

// Passes while N timers are armed and none is due.
void w4p(void) {
    need_timers();
    if (!ops.pass) not_possible(ops.na_pass);
    make_timers(N);
    uint64_t began = now_ns();
    for (long i = 0; i < N; i++) {
        ops.timer_arm(LA, i, far_delay(), nothing, NULL);
        cap_check(i + 1, "arm", began);
    }
    for (int k = 0; k < 3; k++) ops.pass(LA);
    const long most = 10000;
    long done = 0;
    region_begin();
    began = now_ns();
    chunk_start(most);
    while (done < most) {
        ops.pass(LA);
        chunk_tick();
        done++;
        if ((done & 15) == 0 && now_ns() - began > second / 5) break;
    }
    region_end();
    emit_chunked(region_ns(), (double)done, "");
}

// All are due when the loop looks.
static long fired;
static void count(void *unused) { fired++; }

void w4f(void) {
    need_timers();
    if (!ops.pass) not_possible(ops.na_pass);
    make_timers(N);
    uint64_t began = now_ns();
    for (long i = 0; i < N; i++) {
        ops.timer_arm(LA, i, 1000000 + rnd() % 1000000, count, NULL);
        cap_check(i + 1, "arm", began);
    }
    // Some loops count in milliseconds, and round up.
    nanosleep(&(struct timespec){0, 5000000}, NULL);
    region_begin();
    began = now_ns();
    while (fired < N) {
        ops.pass(LA);
        cap_check(fired & ~127, "fire", began);
    }
    region_end();
    emit(region_ns(), (double)N, "");
}
