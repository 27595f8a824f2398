// w2 and w3: closures that others send to the loop, and that it sends to itself. N: closures.
#include "workload.h"

#include <pthread.h>

static long seen, each;
static pthread_barrier_t all_ready;

static void start(void *unused) {
    region_begin();
    pthread_barrier_wait(&all_ready);
}

// -- w2p1, w2p2: one or two threads post as fast as they can ------------------------------

static void count(void *unused) {
    if (++seen < N) return;
    region_end();
    ops.loop_stop(LA);
}

static void *produce(void *unused) {
    pthread_barrier_wait(&all_ready);
    for (long i = 0; i < each; i++) ops.post(LA, count, (void *)i);
    return NULL;
}

static void w2(int producers) {
    NEED(post);
    pthread_t threads[2];
    each = N / producers;
    N = each * producers;
    pthread_barrier_init(&all_ready, NULL, (unsigned)producers + 1);
    make_loop();
    for (int i = 0; i < producers; i++) pthread_create(&threads[i], NULL, produce, NULL);
    ops.post(LA, start, NULL);  // they begin when the loop runs
    ops.loop_run(LA);
    for (int i = 0; i < producers; i++) pthread_join(threads[i], NULL);
    emit(region_ns(), (double)N, "");
}

void w2p1(void) { w2(1); }
void w2p2(void) { w2(2); }

// -- w2s: one post every 20 us, spinning between: what a post costs while the loop sleeps ----

static int64_t *latency, inside_post;
static uint64_t *posted;

static inline void spin_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void note_latency(void *arg) {
    long i = (long)arg;
    latency[i] = (int64_t)(now_ns() - posted[i]);
    count(NULL);
}

static void *produce_paced(void *unused) {
    pthread_barrier_wait(&all_ready);
    uint64_t next = now_ns();
    for (long i = 0; i < N; i++) {
        while (now_ns() < next) spin_pause();
        next += 20000;
        uint64_t before = now_ns();
        posted[i] = before;
        ops.post(LA, note_latency, (void *)i);
        inside_post += (int64_t)(now_ns() - before);
    }
    return NULL;
}

void w2s(void) {
    NEED(post);
    pthread_t thread;
    latency = calloc((size_t)N, sizeof *latency);
    posted = calloc((size_t)N, sizeof *posted);
    pthread_barrier_init(&all_ready, NULL, 2);
    make_loop();
    pthread_create(&thread, NULL, produce_paced, NULL);
    ops.post(LA, start, NULL);
    ops.loop_run(LA);
    pthread_join(thread, NULL);
    sort_samples(latency, N);
    emit((double)inside_post, (double)N, "lat_p50_us=%.1f lat_p99_us=%.1f lat_max_us=%.1f",
         percentile_us(latency, N, 50), percentile_us(latency, N, 99), percentile_us(latency, N, 100));
}

// -- w3, w3n: a closure posts the next, by the same post or by the short cut ----------------

static long left;
static void (*post_next)(void *loop, task_fn fn, void *arg);

static void chain(void *unused) {
    chunk_tick();
    if (--left > 0) {
        post_next(LA, chain, NULL);
        return;
    }
    region_end();
    ops.loop_stop(LA);
}

static void start_chain(void *unused) {
    region_begin();
    chunk_start(N);
    chain(NULL);
}

static void run_chain(void (*post)(void *loop, task_fn fn, void *arg)) {
    post_next = post;
    left = N + 1;
    make_loop();
    ops.post(LA, start_chain, NULL);
    ops.loop_run(LA);
    emit_chunked(region_ns(), (double)N, "");
}

void w3(void) {
    NEED(post);
    run_chain(ops.post);
}

void w3n(void) {
    NEED(post_self);
    run_chain(ops.post_self);
}
