// oneloop: what a thread with a loop costs, from its making to its end. N: threads, one after the other.
// idle: what a loop does that has nothing to do. N: milliseconds.
#include "workload.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// -- oneloop --------------------------------------------------------------------

enum { together = 64 };
static pthread_barrier_t all_made, all_seen;

static void *live(void *is_together) {
    void *loop = ops.loop_new();
    ops.pass(loop);
    if (is_together) {
        pthread_barrier_wait(&all_made);
        pthread_barrier_wait(&all_seen);
    }
    ops.loop_end(loop);
    return NULL;
}

// What one of 64 takes that are there at the same time.
static void hold_together(double *bytes, double *descriptors) {
    pthread_t threads[together];
    pthread_barrier_init(&all_made, NULL, together + 1);
    pthread_barrier_init(&all_seen, NULL, together + 1);
    long memory = rss_bytes(), open = open_descriptors();
    for (int i = 0; i < together; i++) pthread_create(&threads[i], NULL, live, &all_made);
    pthread_barrier_wait(&all_made);
    *bytes = (double)(rss_bytes() - memory) / together;
    *descriptors = (double)(open_descriptors() - open) / together;
    pthread_barrier_wait(&all_seen);
    for (int i = 0; i < together; i++) pthread_join(threads[i], NULL);
}

static void one_life(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, live, NULL)) die("no thread can be made");
    pthread_join(thread, NULL);
}

void oneloop(void) {
    NEED(loop_end);
    if (!ops.pass) not_possible(ops.na_pass);
    // What the first loop of a process makes for all of them is not a loop's.
    one_life();
    double bytes, descriptors;
    hold_together(&bytes, &descriptors);
    region_begin();
    chunk_start(N);
    for (long i = 0; i < N; i++) {
        one_life();
        chunk_tick();
    }
    region_end();
    emit_chunked(region_ns(), (double)N, "rss=%.0f fds=%.2f", bytes, descriptors);
}

// -- idle -----------------------------------------------------------------------

struct activity {
    long wakeups;
    double cpu_ns;
};

static long status_number(const char *path, const char *key) {
    char line[256];
    long number = 0;
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (!strncmp(line, key, strlen(key))) number = atol(line + strlen(key));
    }
    fclose(file);
    return number;
}

// Of all threads but the one that asks.
static struct activity activity_of_others(void) {
    struct activity sum = {0, 0};
    char path[320];
    long own = syscall(SYS_gettid);
    struct dirent *entry;
    DIR *folder = opendir("/proc/self/task");
    while (folder && (entry = readdir(folder))) {
        if (entry->d_name[0] == '.' || atol(entry->d_name) == own) continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        sum.wakeups += status_number(path, "voluntary_ctxt_switches:");
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", entry->d_name);
        sum.cpu_ns += (double)status_number(path, "");
    }
    if (folder) closedir(folder);
    return sum;
}

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

static void *watch(void *unused) {
    sleep_ms(100);
    struct activity before = activity_of_others();
    sleep_ms(N);
    struct activity after = activity_of_others();
    double seconds = (double)N / 1e3;
    emit_figure((double)(after.wakeups - before.wakeups) / seconds, "cpu_ns=%.0f unit=wakeups",
                (after.cpu_ns - before.cpu_ns) / seconds);
    _exit(0);
}

void idle(void) {
    NEED(loop_run);
    make_loop();
    if (ops.wake_init) ops.wake_init(LA, nothing, NULL);
    if (ops.timer_arm) {
        ops.timers_alloc(LA, 10);
        if (ops.time_update) ops.time_update(LA);
        for (long i = 0; i < 10; i++) ops.timer_arm(LA, i, (uint64_t)(i + 1) * 3600000000000, nothing, NULL);
    }
    if (ops.fd_add) {
        ops.fds_alloc(LA, 10);
        for (long i = 0; i < 10; i++) ops.fd_add(LA, i, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), nothing, NULL);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    ops.loop_run(LA);
    die("the loop ended");
}
