// main(), the workloads, and the output line.
#define _GNU_SOURCE
#include "CHarness.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static struct peer_ops ops;
static const char *wl;
static long N;
static double cap_s = 30;

void die(const char *fmt, ...) {
    va_list ap; va_start(ap, fmt); vfprintf(stderr, fmt, ap); va_end(ap);
    fputc('\n', stderr); exit(1);
}
static uint64_t seed = 0x9E3779B97F4A7C15ull;
uint64_t rnd(void) {
    seed ^= seed >> 12; seed ^= seed << 25; seed ^= seed >> 27;
    return seed * 0x2545F4914F6CDD1Dull;
}
static void not_possible(const char *why) {
    printf("# %s %s %ld n/a %s\n", ops.name, wl, N, why ? why : "not possible");
    exit(3);
}
#define NEED(f) do { if (!ops.f) not_possible("the peer has no " #f); } while (0)

// ---- measuring -------------------------------------------------------------
struct usage { uint64_t t; double u, s; long vcsw, icsw; long rd, wr; };
static void usage_get(struct usage *x) {
    struct rusage r; getrusage(RUSAGE_SELF, &r);
    x->u = r.ru_utime.tv_sec * 1e9 + r.ru_utime.tv_usec * 1e3;
    x->s = r.ru_stime.tv_sec * 1e9 + r.ru_stime.tv_usec * 1e3;
    x->vcsw = r.ru_nvcsw; x->icsw = r.ru_nivcsw; x->rd = x->wr = 0;
    char b[512]; int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) { // read/write system calls so far, without a tracer's disturbance
        ssize_t n = read(fd, b, sizeof b - 1); close(fd);
        if (n > 0) { b[n] = 0; char *p;
            if ((p = strstr(b, "syscr:"))) x->rd = atol(p + 6);
            if ((p = strstr(b, "syscw:"))) x->wr = atol(p + 6); }
    }
}
static struct usage R0, R1;
static void region_begin(void) { usage_get(&R0); R0.t = now_ns(); }
static void region_end(void) { R1.t = now_ns(); usage_get(&R1); R1.rd -= 1; }
static double region_ns(void) { return (double)(R1.t - R0.t); }

__attribute__((format(printf, 3, 4)))
static void emit(double ns, double n_ops, const char *fmt, ...) {
    double per = ns / n_ops;
    printf("%s %s %ld %.1f %.0f", ops.name, wl, N, per, 1e9 / per);
    printf(" cpu_ns=%.1f usr_ns=%.1f sys_ns=%.1f rd=%.3f wr=%.3f vcsw=%.3f icsw=%.3f",
           (R1.u - R0.u + R1.s - R0.s) / n_ops, (R1.u - R0.u) / n_ops, (R1.s - R0.s) / n_ops,
           (R1.rd - R0.rd) / n_ops, (R1.wr - R0.wr) / n_ops,
           (R1.vcsw - R0.vcsw) / n_ops, (R1.icsw - R0.icsw) / n_ops);
    if (fmt && *fmt) { putchar(' '); va_list ap; va_start(ap, fmt); vprintf(fmt, ap); va_end(ap); }
    putchar('\n');
}
// Cost per op in the best twentieth of the run: what an undisturbed stretch costs.
static long ck_len, ck_left; static uint64_t ck_t; static double ck_best;
static void chunk_start(long total) { ck_len = ck_left = total / 20 > 0 ? total / 20 : 1; ck_best = 1e18; ck_t = now_ns(); }
static inline void chunk_tick(void) {
    if (--ck_left) return;
    uint64_t t = now_ns(); double v = (double)(t - ck_t) / (double)ck_len;
    if (v < ck_best) ck_best = v;
    ck_t = t; ck_left = ck_len;
}
static int cmp_i64(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b; return (x > y) - (x < y);
}
static long rss_bytes(void) {
    malloc_trim(0);
    char b[128]; int fd = open("/proc/self/statm", O_RDONLY); if (fd < 0) return 0;
    ssize_t n = read(fd, b, sizeof b - 1); close(fd); b[n > 0 ? n : 0] = 0;
    long a = 0, r = 0; sscanf(b, "%ld %ld", &a, &r); return r * sysconf(_SC_PAGESIZE);
}
static void raise_nofile(long want) {
    struct rlimit r; getrlimit(RLIMIT_NOFILE, &r);
    if ((long)r.rlim_cur >= want) return;
    if ((long)r.rlim_max < want) r.rlim_max = want;
    r.rlim_cur = want;
    if (setrlimit(RLIMIT_NOFILE, &r) < 0) not_possible("RLIMIT_NOFILE cannot be raised");
}

// ---- W1 wake ping-pong -------------------------------------------------------
static void *LA, *LB; static long w1_left; static bool w1_done; static pthread_barrier_t bar;
static void w1_a(void *x) {
    chunk_tick();
    if (--w1_left > 0) { ops.wake(LB); return; }
    region_end(); __atomic_store_n(&w1_done, true, __ATOMIC_SEQ_CST); ops.wake(LB); ops.loop_stop(LA);
}
static void w1_b(void *x) {
    if (__atomic_load_n(&w1_done, __ATOMIC_SEQ_CST)) ops.loop_stop(LB); else ops.wake(LA);
}
static void *w1_thread(void *x) {
    LB = ops.loop_new(); ops.wake_init(LB, w1_b, NULL);
    pthread_barrier_wait(&bar); ops.loop_run(LB); return NULL;
}
static void w1(void) {
    NEED(wake);
    pthread_t t; pthread_barrier_init(&bar, NULL, 2); w1_left = N;
    LA = ops.loop_new(); ops.wake_init(LA, w1_a, NULL);
    pthread_create(&t, NULL, w1_thread, NULL); pthread_barrier_wait(&bar);
    struct timespec ms = {0, 2000000}; nanosleep(&ms, NULL); // let B reach its wait
    region_begin(); chunk_start(N); ops.wake(LB); ops.loop_run(LA); pthread_join(t, NULL);
    emit(region_ns(), N, "best=%.1f", ck_best);
}

// ---- W2 post throughput ------------------------------------------------------
static long w2_seen, w2_each; static int w2_p;
static void w2_task(void *x) {
    if (++w2_seen == N) { region_end(); ops.loop_stop(LA); }
}
static void *w2_producer(void *x) {
    pthread_barrier_wait(&bar);
    for (long i = 0; i < w2_each; i++) ops.post(LA, w2_task, (void *)i);
    return NULL;
}
static void w2_start(void *x) { region_begin(); pthread_barrier_wait(&bar); }
static void w2(int producers) {
    NEED(post);
    w2_p = producers; w2_each = N / producers; N = w2_each * producers;
    pthread_barrier_init(&bar, NULL, producers + 1);
    LA = ops.loop_new(); pthread_t t[8];
    for (int i = 0; i < producers; i++) pthread_create(&t[i], NULL, w2_producer, NULL);
    ops.post(LA, w2_start, NULL); // the producers start once the loop runs
    ops.loop_run(LA);
    for (int i = 0; i < producers; i++) pthread_join(t[i], NULL);
    emit(region_ns(), N, "");
}
// W2 paced: one producer posts one task each 20 us (spinning between): how much one
// post costs the producer when the loop is asleep most of the time.
static int64_t *w2s_lat, w2s_cost; static uint64_t *w2s_at;
static void w2s_task(void *x) {
    long i = (long)x; w2s_lat[i] = (int64_t)(now_ns() - w2s_at[i]);
    if (++w2_seen == N) { region_end(); ops.loop_stop(LA); }
}
static void *w2s_producer(void *x) {
    pthread_barrier_wait(&bar);
    uint64_t next = now_ns();
    for (long i = 0; i < N; i++) {
        while (now_ns() < next) __builtin_ia32_pause();
        next += 20000;
        uint64_t a = now_ns(); w2s_at[i] = a;
        ops.post(LA, w2s_task, (void *)i);
        w2s_cost += (int64_t)(now_ns() - a);
    }
    return NULL;
}
static void w2s(void) {
    NEED(post);
    w2s_lat = calloc(N, 8); w2s_at = calloc(N, 8);
    pthread_barrier_init(&bar, NULL, 2); LA = ops.loop_new(); pthread_t t;
    pthread_create(&t, NULL, w2s_producer, NULL);
    ops.post(LA, w2_start, NULL); ops.loop_run(LA); pthread_join(t, NULL);
    qsort(w2s_lat, N, 8, cmp_i64);
    emit((double)w2s_cost, N, "lat_p50_us=%.1f lat_p99_us=%.1f lat_max_us=%.1f",
         w2s_lat[N / 2] / 1e3, w2s_lat[N * 99 / 100] / 1e3, w2s_lat[N - 1] / 1e3);
}

// ---- W3 self-post chain ------------------------------------------------------
static long w3_left; static bool w3_native;
static void w3_task(void *x) {
    chunk_tick();
    if (--w3_left == 0) { region_end(); ops.loop_stop(LA); return; }
    if (w3_native) ops.post_self(LA, w3_task, NULL); else ops.post(LA, w3_task, NULL);
}
static void w3_start(void *x) { region_begin(); chunk_start(N); w3_task(NULL); }
static void w3(bool native) {
    if (native) NEED(post_self); else NEED(post);
    w3_native = native; w3_left = N + 1;
    LA = ops.loop_new(); ops.post(LA, w3_start, NULL); ops.loop_run(LA);
    emit(region_ns(), N, "best=%.1f", ck_best);
}

// ---- W4 timers ----------------------------------------------------------------
static void timers_ok(void) {
    if (!ops.timer_arm) not_possible(ops.na_timer);
    if (ops.max_timers && N > ops.max_timers) not_possible(ops.na_timer ? ops.na_timer : "more timers than this peer can hold");
}
static void noop(void *x) {}
static void cap_check(long i, const char *what, uint64_t t0) {
    if ((i & 127) == 0 && (now_ns() - t0) / 1e9 > cap_s) {
        printf("# %s %s %ld cap over %.0f s: stopped at %s %ld of %ld, %.0f ns per %s so far\n",
               ops.name, wl, N, cap_s, what, i, N, (double)(now_ns() - t0) / (double)i, what);
        fflush(stdout); _exit(4);
    }
}
static void w4a(void) {
    timers_ok(); NEED(timer_cancel);
    uint64_t *d = malloc(sizeof *d * N);
    for (long i = 0; i < N; i++) d[i] = 1000000000ull + rnd() % 3599000000000ull;
    LA = ops.loop_new(); ops.timers_alloc(LA, N); if (ops.time_update) ops.time_update(LA);
    region_begin(); uint64_t t0 = now_ns();
    for (long i = 0; i < N; i++) { ops.timer_arm(LA, i, d[i], noop, NULL); cap_check(i + 1, "arm", t0); }
    uint64_t t1 = now_ns(), pass_ns = 0, t2;
    if (ops.pass) { // what one pass costs with N timers armed, none due
        for (int k = 0; k < 3; k++) { t2 = now_ns(); ops.pass(LA); pass_ns = now_ns() - t2; }
    }
    t2 = now_ns();
    for (long i = 0; i < N; i++) { ops.timer_cancel(LA, i); cap_check(i + 1, "cancel", t2); }
    if (ops.timers_sync) ops.timers_sync(LA);
    uint64_t t3 = now_ns(); region_end();
    emit((double)(t1 - t0) + (double)(t3 - t2), N, "arm_ns=%.1f cancel_ns=%.1f pass_ns=%llu", (double)(t1 - t0) / N,
         (double)(t3 - t2) / N, (unsigned long long)pass_ns);
}
// arm/cancel in the keep-alive pattern: one timer re-armed over and over among N others
static void w4r(void) {
    timers_ok(); NEED(timer_cancel);
    LA = ops.loop_new(); ops.timers_alloc(LA, N + 1); if (ops.time_update) ops.time_update(LA);
    for (long i = 0; i < N; i++) ops.timer_arm(LA, i, 1000000000ull + rnd() % 3599000000000ull, noop, NULL);
    if (ops.pass) ops.pass(LA);
    long k = 20000; region_begin(); uint64_t t0 = now_ns(); long i = 0;
    for (; i < k; i++) {
        ops.timer_arm(LA, N, 60000000000ull, noop, NULL); ops.timer_cancel(LA, N);
        if ((i & 127) == 127 && (now_ns() - t0) / 1e9 > 1.0) { i++; break; }
    }
    region_end(); emit(region_ns(), i, "");
}

static uint64_t *due; static int64_t *late; static long fired;
static void w4b_cb(void *x) {
    long i = (long)x; late[i] = (int64_t)(now_ns() - due[i]);
    if (++fired == N) { region_end(); ops.loop_stop(LA); }
}
static void w4b(void) {
    timers_ok();
    due = malloc(8 * N); late = calloc(N, 8);
    for (long i = 0; i < N; i++) due[i] = 50000000ull + rnd() % 200000000ull;
    LA = ops.loop_new(); ops.timers_alloc(LA, N); if (ops.time_update) ops.time_update(LA);
    uint64_t base = now_ns();
    region_begin();
    for (long i = 0; i < N; i++) {
        due[i] += base;
        uint64_t from = ops.time_update ? base : now_ns();
        ops.timer_arm(LA, i, due[i] > from ? due[i] - from : 0, w4b_cb, (void *)i);
    }
    double arm = (now_ns() - base) / (double)N;
    ops.loop_run(LA);
    long early = 0; for (long i = 0; i < N; i++) early += late[i] < 0;
    qsort(late, N, 8, cmp_i64);
    // first figure: CPU time per timer (arm + fire), not wall time
    emit(R1.u - R0.u + R1.s - R0.s, N,
         "arm_ns=%.1f late_p50_us=%.1f late_p99_us=%.1f late_max_us=%.1f early=%ld",
         arm, late[N / 2] / 1e3, late[N * 99 / 100] / 1e3, late[N - 1] / 1e3, early);
}

static uint64_t w4c_end, w4c_prev; static int64_t *jit; static long ticks;
static void w4c_cb(void *x) {
    uint64_t t = now_ns();
    if (w4c_prev) { int64_t j = (int64_t)(t - w4c_prev) - 1000000; jit[ticks++] = j < 0 ? -j : j; }
    else { region_begin(); w4c_end = t + (uint64_t)N * 1000000ull; }
    w4c_prev = t;
    if (t >= w4c_end || ticks >= N * 4) { region_end(); ops.loop_stop(LA); }
}
static void w4c(void) { // N: length in milliseconds
    if (!ops.timer_repeat) not_possible(ops.na_timer);
    jit = calloc(N * 4 + 16, 8);
    LA = ops.loop_new(); if (ops.time_update) ops.time_update(LA);
    ops.timer_repeat(LA, 1000000, w4c_cb, NULL); ops.loop_run(LA);
    qsort(jit, ticks, 8, cmp_i64);
    emit(R1.u - R0.u + R1.s - R0.s, ticks, "ticks=%ld jit_p50_us=%.1f jit_p99_us=%.1f jit_max_us=%.1f",
         ticks, jit[ticks / 2] / 1e3, jit[ticks * 99 / 100] / 1e3, jit[ticks - 1] / 1e3);
}

// ---- W5 descriptors -----------------------------------------------------------
// A tokens travel round a ring of P descriptors; each event reads one and writes the
// next, 20000 writes in all. Eventfds merge two tokens into one, so they are counted.
static int *w5_r, *w5_w; static bool *w5_pending; static long w5_writes, w5_fired, w5_out, w5_P; static bool w5_efd;
static void w5_put(long i) {
    if (w5_efd) { if (!w5_pending[i]) { w5_pending[i] = true; w5_out++; } } else w5_out++;
    uint64_t one = 1; ssize_t r = write(w5_w[i], &one, w5_efd ? 8 : 1);
    if (r < 0) die("w5 write: %s", strerror(errno));
}
static void w5_cb(void *x) {
    long i = (long)x; uint64_t v;
    if (!ops.loop_reads_fd) { ssize_t r = read(w5_r[i], &v, w5_efd ? 8 : 1); if (r < 0) return; }
    w5_pending[i] = false; w5_out--; w5_fired++; chunk_tick();
    if (w5_writes > 0) { w5_writes--; long j = i + 1; w5_put(j >= w5_P ? 0 : j); }
    if (w5_out == 0) { region_end(); ops.loop_stop(LA); }
}
static void w5_go(void *x) { // on the loop thread
    long A = w5_P / (w5_efd ? 2 : 1); if (A > 100) A = 100;
    long gap = w5_P / A;
    w5_writes = 20000; w5_fired = 0;
    region_begin(); chunk_start(w5_writes);
    for (long i = 0; i < A; i++) w5_put(i * gap);
}
static void w5(bool efd) {
    if (!ops.fd_add) not_possible(ops.na_fd);
    if (ops.eventfd_only && !efd) not_possible("its loop reads 8 bytes from the descriptor itself: eventfd and timerfd only");
    w5_efd = efd; w5_P = N; raise_nofile((efd ? N : 2 * N) + 64);
    w5_r = malloc(sizeof(int) * N); w5_w = malloc(sizeof(int) * N); w5_pending = calloc(N, 1);
    for (long i = 0; i < N; i++) {
        if (efd) { w5_r[i] = w5_w[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
        else { int p[2]; if (pipe2(p, O_NONBLOCK | O_CLOEXEC) < 0) die("pipe: %s", strerror(errno)); w5_r[i] = p[0]; w5_w[i] = p[1]; }
        if (w5_r[i] < 0) die("w5 fd: %s", strerror(errno));
    }
    LA = ops.loop_new(); ops.fds_alloc(LA, N);
    uint64_t t0 = now_ns();
    for (long i = 0; i < N; i++) ops.fd_add(LA, i, w5_r[i], w5_cb, (void *)i);
    if (ops.pass) ops.pass(LA);
    double add = (now_ns() - t0) / (double)N;
    if (ops.post) ops.post(LA, w5_go, NULL); else w5_go(NULL);
    ops.loop_run(LA);
    emit(region_ns(), w5_fired, "best=%.1f add_ns=%.1f", ck_best, add);
}

// ---- W6 empty pass -------------------------------------------------------------
static void w6(int observers) {
    if (!ops.pass) not_possible(ops.na_pass);
    if (observers && !ops.observer_add) not_possible(ops.na_observer ? ops.na_observer : "no observers");
    LA = ops.loop_new(); if (ops.wake_init) ops.wake_init(LA, noop, NULL);
    for (int i = 0; i < observers; i++) ops.observer_add(LA);
    for (int i = 0; i < 100; i++) ops.pass(LA);
    region_begin(); chunk_start(N);
    for (long i = 0; i < N; i++) { ops.pass(LA); chunk_tick(); }
    region_end(); emit(region_ns(), N, "best=%.1f", ck_best);
}

// ---- W7 memory -----------------------------------------------------------------
static void emit_mem(long bytes) {
    printf("%s %s %ld %.1f 0 unit=bytes\n", ops.name, wl, N, (double)bytes / (double)N);
}
static void w7t(void) {
    timers_ok(); LA = ops.loop_new(); if (ops.pass) ops.pass(LA);
    uint64_t *d = malloc(sizeof *d * N);
    for (long i = 0; i < N; i++) d[i] = 1000000000ull + rnd() % 3599000000000ull;
    long r0 = rss_bytes(); uint64_t t0 = now_ns();
    ops.timers_alloc(LA, N); if (ops.time_update) ops.time_update(LA);
    for (long i = 0; i < N; i++) { ops.timer_arm(LA, i, d[i], noop, NULL); cap_check(i + 1, "arm", t0); }
    if (ops.pass) ops.pass(LA);
    if (ops.timers_sync) { struct timespec s = {0, 300000000}; nanosleep(&s, NULL); }
    emit_mem(rss_bytes() - r0); fflush(stdout); _exit(0);
}
static void w7f(void) {
    if (!ops.fd_add) not_possible(ops.na_fd);
    raise_nofile(N + 256); int *f = malloc(sizeof(int) * N);
    for (long i = 0; i < N; i++) if ((f[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0) die("eventfd");
    LA = ops.loop_new(); if (ops.pass) ops.pass(LA);
    long r0 = rss_bytes(); ops.fds_alloc(LA, N);
    for (long i = 0; i < N; i++) ops.fd_add(LA, i, f[i], noop, NULL);
    if (ops.pass) ops.pass(LA);
    if (ops.timers_sync) { struct timespec s = {0, 300000000}; nanosleep(&s, NULL); }
    emit_mem(rss_bytes() - r0); fflush(stdout); _exit(0);
}

// ---- main ------------------------------------------------------------------------
static void W2P1(void) { w2(1); } static void W2P2(void) { w2(2); }
static void W3G(void) { w3(false); } static void W3N(void) { w3(true); }
static void W5P(void) { w5(false); } static void W5E(void) { w5(true); }
static void W60(void) { w6(0); } static void W61(void) { w6(1); } static void W610(void) { w6(10); }
static const struct { const char *name; void (*fn)(void); } table[] = {
    {"w1", w1}, {"w2p1", W2P1}, {"w2p2", W2P2}, {"w2s", w2s}, {"w3", W3G}, {"w3n", W3N},
    {"w4a", w4a}, {"w4r", w4r}, {"w4b", w4b}, {"w4c", w4c}, {"w5", W5P}, {"w5e", W5E},
    {"w6o0", W60}, {"w6o1", W61}, {"w6o10", W610}, {"w7t", w7t}, {"w7f", w7f}, {NULL, NULL},
};
static int wi;
static void *run_it(void *x) { table[wi].fn(); return NULL; }
int harness_main(int argc, char **argv) {
    if (argc != 4) { fprintf(stderr, "usage: %s PEER WORKLOAD N\nworkloads:", argv[0]);
        for (int i = 0; table[i].name; i++) fprintf(stderr, " %s", table[i].name);
        fputc('\n', stderr); return 2; }
    if (!peer_lookup(argv[1], &ops)) { fprintf(stderr, "unknown peer %s\n", argv[1]); return 2; }
    if (!ops.name) ops.name = argv[1];
    wl = argv[2]; N = atol(argv[3]); if (N < 1) return 2;
    if (getenv("BENCH_CAP_S")) cap_s = atof(getenv("BENCH_CAP_S"));
    for (wi = 0; table[wi].name; wi++) if (!strcmp(table[wi].name, wl)) break;
    if (!table[wi].name) { printf("# %s %s %ld n/a unknown workload\n", ops.name, wl, N); return 3; }
    if (ops.run_in_thread) { pthread_t t; pthread_create(&t, NULL, run_it, NULL); pthread_join(t, NULL); }
    else run_it(NULL);
    fflush(stdout);
    _exit(0); // no exit handlers in the way
}
