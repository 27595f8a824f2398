// w4b, w4c, far: how late timers fire, and what firing costs.
#include "workload.h"

static int64_t *samples;
static uint64_t *due;
static long fired;

// -- w4b: N one-shots, due at random within 200 ms, which begin 50 ms after the first is armed ---------

static void on_one_shot(void *arg) {
    long i = (long)arg;
    samples[i] = (int64_t)(now_ns() - due[i]);
    if (++fired < N) return;
    region_end();
    ops.loop_stop(LA);
}

void w4b(void) {
    need_timers();
    due = malloc(sizeof *due * (size_t)N);
    samples = calloc((size_t)N, sizeof *samples);
    for (long i = 0; i < N; i++) due[i] = 50000000 + rnd() % 200000000;
    make_loop();
    ops.timers_alloc(LA, N);
    uint64_t base = now_ns();
    if (ops.time_update) ops.time_update(LA);
    region_begin();
    for (long i = 0; i < N; i++) {
        due[i] += base;
        uint64_t from = ops.time_update ? base : now_ns();
        ops.timer_arm(LA, i, due[i] > from ? due[i] - from : 0, on_one_shot, (void *)i);
    }
    double arm = (double)(now_ns() - base) / (double)N;
    ops.loop_run(LA);
    long early = 0;
    for (long i = 0; i < N; i++) early += samples[i] < 0;
    sort_samples(samples, N);
    // The first figure is processor time, not the wall's.
    emit(region_cpu_ns(), (double)N,
         "arm_ns=%.1f late_p50_us=%.1f late_p99_us=%.1f late_max_us=%.1f early=%ld", arm,
         percentile_us(samples, N, 50), percentile_us(samples, N, 99), percentile_us(samples, N, 100), early);
}

// -- w4c: one timer that repeats every millisecond, for N milliseconds ----------------------

static const int64_t millisecond = 1000000;
static uint64_t *ticks;
static long tick_count, tick_limit;
static uint64_t end;

static void on_tick(void *unused) {
    uint64_t now = now_ns();
    if (tick_count == 0) {
        region_begin();
        end = now + (uint64_t)(N * millisecond);
    }
    ticks[tick_count++] = now;
    if (now < end && tick_count < tick_limit) return;
    region_end();
    ops.loop_stop(LA);
}

void w4c(void) {
    if (!ops.timer_repeat) not_possible(ops.na_timer);
    tick_limit = N * 4 + 16;
    ticks = calloc((size_t)tick_limit, sizeof *ticks);
    samples = calloc((size_t)tick_limit, sizeof *samples);
    make_loop();
    if (ops.time_update) ops.time_update(LA);
    ops.timer_repeat(LA, (uint64_t)millisecond, on_tick, NULL);
    ops.loop_run(LA);
    long n = tick_count - 1;
    for (long i = 0; i < n; i++) {
        int64_t deviation = (int64_t)(ticks[i + 1] - ticks[i]) - millisecond;
        samples[i] = deviation < 0 ? -deviation : deviation;
    }
    sort_samples(samples, n);
    emit(region_cpu_ns(), (double)n, "ticks=%ld jit_p50_us=%.1f jit_p99_us=%.1f jit_max_us=%.1f", n,
         percentile_us(samples, n, 50), percentile_us(samples, n, 99), percentile_us(samples, n, 100));
}

// -- far: one-shots N milliseconds away, one after the other, so that the loop sleeps as long ---------

// The first few are near and not counted: what the process does for the first time is no lateness.
enum { warming_shots = 3 };
static long shots;
static void on_shot(void *unused);

static void arm_next(void) {
    uint64_t delay = (uint64_t)((fired < warming_shots ? 1 : N) * millisecond);
    due[fired] = now_ns() + delay;
    if (ops.time_update) ops.time_update(LA);
    ops.timer_arm(LA, fired, delay, on_shot, NULL);
}

static void on_shot(void *unused) {
    samples[fired] = (int64_t)(now_ns() - due[fired]);
    if (++fired == warming_shots) region_begin();
    if (fired < shots + warming_shots) {
        arm_next();
        return;
    }
    region_end();
    ops.loop_stop(LA);
}

void far_dates(void) {
    need_timers();
    shots = N > 500 ? 1 : N < 10 ? 50 : 500 / N;
    due = calloc((size_t)(shots + warming_shots), sizeof *due);
    samples = calloc((size_t)(shots + warming_shots), sizeof *samples);
    make_loop();
    ops.timers_alloc(LA, shots + warming_shots);
    arm_next();
    ops.loop_run(LA);
    samples += warming_shots;
    long early = 0;
    for (long i = 0; i < shots; i++) early += samples[i] < 0;
    sort_samples(samples, shots);
    emit(region_cpu_ns(), (double)shots, "shots=%ld late_p50_us=%.1f late_max_us=%.1f early=%ld", shots,
         percentile_us(samples, shots, 50), percentile_us(samples, shots, 100), early);
}
