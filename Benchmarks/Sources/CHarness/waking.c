// w1: two loops on two threads wake each other by turns. N: round trips.
#include "workload.h"

#include <pthread.h>
#include <stdatomic.h>

static void *LB;
static long left;
static atomic_bool is_over;
static pthread_barrier_t both_ready;

static void on_first(void *unused) {
    chunk_tick();
    if (--left > 0) {
        ops.wake(LB);
        return;
    }
    region_end();
    is_over = true;
    ops.wake(LB);
    ops.loop_stop(LA);
}

static void on_second(void *unused) {
    if (is_over) ops.loop_stop(LB);
    else ops.wake(LA);
}

static void *second_thread(void *unused) {
    LB = ops.loop_new();
    ops.wake_init(LB, on_second, NULL);
    pthread_barrier_wait(&both_ready);
    ops.loop_run(LB);
    return NULL;
}

void w1(void) {
    NEED(wake);
    pthread_t thread;
    pthread_barrier_init(&both_ready, NULL, 2);
    left = N;
    make_loop();
    ops.wake_init(LA, on_first, NULL);
    pthread_create(&thread, NULL, second_thread, NULL);
    pthread_barrier_wait(&both_ready);
    nanosleep(&(struct timespec){0, 2000000}, NULL);  // the second loop reaches its wait
    region_begin();
    chunk_start(N);
    ops.wake(LB);
    ops.loop_run(LA);
    pthread_join(thread, NULL);
    emit_chunked(region_ns(), (double)N, "");
}
