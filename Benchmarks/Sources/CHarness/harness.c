// The command line, and the table of workloads.
#include "workload.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct peer_ops ops;
const char *workload;
long N;
void *LA;
static double cap_s = 30;

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

uint64_t rnd(void) {
    static uint64_t seed = 0x9E3779B97F4A7C15ull;
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * 0x2545F4914F6CDD1Dull;
}

void nothing(void *arg) {}

void make_loop(void) { LA = ops.loop_new(); }

void not_possible(const char *why) {
    printf("# %s %s %ld n/a %s\n", ops.name, workload, N, why ? why : "not possible");
    fflush(stdout);
    _exit(3);
}

void need_timers(void) {
    if (!ops.timer_arm) not_possible(ops.na_timer);
    if (ops.max_timers && N > ops.max_timers) not_possible(ops.na_timer);
}

void need_fds(void) {
    if (!ops.fd_add) not_possible(ops.na_fd);
}

void cap_check(long done, const char *what, uint64_t since) {
    if ((done & 127) != 0 || (double)(now_ns() - since) / 1e9 <= cap_s) return;
    printf("# %s %s %ld cap over %.0f s: stopped at %s %ld of %ld, %.0f ns per %s so far\n", ops.name, workload, N,
           cap_s, what, done, N, (double)(now_ns() - since) / (double)done, what);
    fflush(stdout);
    _exit(4);
}

static const struct workload {
    const char *name;
    void (*run)(void);
} workloads[] = {
    {"w1", w1}, {"w2p1", w2p1}, {"w2p2", w2p2}, {"w2s", w2s}, {"w3", w3}, {"w3n", w3n},
    {"w4a", w4a}, {"w4r", w4r}, {"w4p", w4p}, {"w4f", w4f}, {"w4b", w4b}, {"w4c", w4c}, {"far", far_dates},
    {"w5", w5}, {"w5e", w5e},
    {"w6o0", w6o0}, {"w6o1", w6o1}, {"w6o10", w6o10}, {"w6d", w6d},
    {"other-blocks", other_blocks}, {"other-sources", other_sources}, {"other-observers", other_observers},
    {"nested", nested}, {"modes", modes},
    {"w7t", w7t}, {"w7f", w7f}, {"oneloop", oneloop}, {"idle", idle}, {NULL, NULL},
};
static const struct workload *chosen = workloads;

static void *run_chosen(void *unused) {
    chosen->run();
    return NULL;
}

static int usage(const char *program) {
    fprintf(stderr, "usage: %s PEER WORKLOAD N\nworkloads:", program);
    for (const struct workload *w = workloads; w->name; w++) fprintf(stderr, " %s", w->name);
    fputc('\n', stderr);
    return 2;
}

int harness_main(int argc, char **argv) {
    if (argc != 4) return usage(argv[0]);
    if (!peer_lookup(argv[1], &ops)) {
        fprintf(stderr, "unknown peer %s\n", argv[1]);
        return 2;
    }
    ops.name = argv[1];
    workload = argv[2];
    N = atol(argv[3]);
    if (N < 0) return usage(argv[0]);
    if (getenv("BENCH_CAP_S")) cap_s = atof(getenv("BENCH_CAP_S"));
    while (chosen->name && strcmp(chosen->name, workload)) chosen++;
    if (!chosen->name) not_possible("unknown workload");
    if (ops.na_all) not_possible(ops.na_all);
    if (ops.run_in_thread) {
        pthread_t thread;
        pthread_create(&thread, NULL, run_chosen, NULL);
        pthread_join(thread, NULL);
    } else {
        run_chosen(NULL);
    }
    fflush(stdout);
    _exit(0);  // no exit handlers in the way
}
