#include "CStressWork.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- Rest

/// Every thread must be found running and asleep, and those that run must not wait long for a processor. In a read, as the
/// sampler only looks at who sleeps for a span of time.
void stress_rest(void) {
    static thread_local int ticks = -1;
    if (ticks < 0) {
        itimerspec each = {{0, 1000000}, {0, 1000000}};
        ticks = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
        timerfd_settime(ticks, 0, &each, nullptr);
    }
    uint64_t count;
    (void)!read(ticks, &count, sizeof count);
}

// ---- Memory

static int allocate() {
    static thread_local void *blocks[64];
    static thread_local unsigned state = 1;
    for (int count = 0; count < 500; count++) {
        state = state * 1103515245 + 12345;
        void *&block = blocks[state >> 16 & 63];
        free(block);
        block = malloc(16 + (state >> 8) % 40000);
        if (block != nullptr) memset(block, 1, 16);
    }
    return 0;
}

// ---- The loader: libraries that come with the C library and that nobody else has open

static int load() {
    static const char *const libraries[] = {"libBrokenLocale.so.1", "libthread_db.so.1", "libanl.so.1", "libnss_compat.so.2"};
    static thread_local unsigned next;
    void *library = dlopen(libraries[next++ % 4], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 0;
    (void)dlsym(library, "nothing of this name");
    dlclose(library);
    stress_rest();
    return 0;
}

// ---- Exceptions

__attribute__((noinline)) static void fall(int depth) {
    std::string kept(64 + depth, 'x');
    if (depth == 0) throw std::runtime_error("bottom");
    fall(depth - 1);
    if (kept.size() > 1000) kept.clear();
}

static int raise_exceptions() {
    for (int count = 0; count < 20; count++) {
        try {
            fall(12);
        } catch (const std::exception &) {
        }
    }
    return 0;
}

// ---- Locks

static int contend() {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    static unsigned long shared;
    for (int count = 0; count < 200; count++) {
        pthread_mutex_lock(&mutex);
        if ((++shared & 1023) == 0) {
            timespec moment;
            clock_gettime(CLOCK_REALTIME, &moment);
            moment.tv_nsec += 200000;
            if (moment.tv_nsec > 999999999) moment.tv_nsec -= 1000000000, moment.tv_sec++;
            pthread_cond_timedwait(&condition, &mutex, &moment);
        }
        if ((shared & 127) == 0) pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    }
    stress_rest();
    return 0;
}

// ---- A pipe: one end in a read that waits, the other in writes of a megabyte

static void *drain(void *argument) {
    static char buffer[1 << 16];
    int end = (int)(long)argument;
    while (read(end, buffer, sizeof buffer) > 0) {
    }
    return nullptr;
}

static int write_much() {
    static char buffer[1 << 20];
    static int end = -1;
    if (end < 0) {
        int ends[2];
        if (pipe(ends) != 0) return 0;
        pthread_t reader;
        if (pthread_create(&reader, nullptr, drain, (void *)(long)ends[0]) != 0) return 0;
        pthread_detach(reader);
        end = ends[1];
    }
    int isShort = write(end, buffer, sizeof buffer) == (ssize_t)sizeof buffer ? 0 : 1;
    stress_rest();
    return isShort;
}

// ---- Threads that come and go, and processes

static void *live_shortly(void *) {
    volatile unsigned value = 0;
    for (int count = 0; count < 20000; count++) value += (unsigned)count;
    return nullptr;
}

static int come_and_go() {
    pthread_t threads[4];
    int begun = 0;
    while (begun < 4 && pthread_create(&threads[begun], nullptr, live_shortly, nullptr) == 0) begun++;
    while (begun > 0) pthread_join(threads[--begun], nullptr);
    stress_rest();
    return 0;
}

static int fork_once() {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) {
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    for (int count = 0; count < 50; count++) stress_rest();
    return 0;
}

// ---- Signals of the program's own

static std::atomic<long> storm_count;
static std::atomic<bool> has_receiver;
static pthread_t receiver;

static void receive(int) { storm_count.fetch_add(1); }

void stress_receive_storm(void) {
    struct sigaction action = {};
    action.sa_handler = receive;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
    receiver = pthread_self();
    has_receiver.store(true);
}

long stress_storm_count(void) { return storm_count.load(); }

static int storm() {
    if (!has_receiver.load()) return 0;
    for (int count = 0; count < 20; count++) pthread_kill(receiver, SIGUSR1);
    stress_rest();
    return 0;
}

// ---- All

static const struct {
    const char *name;
    int (*round)();
} works[] = {
    {"malloc", allocate}, {"dlopen", load}, {"C++ throw", raise_exceptions}, {"mutex", contend},
    {"pipe", write_much}, {"threads", come_and_go}, {"fork", fork_once}, {"storm", storm},
};

int stress_work_count(void) { return (int)(sizeof works / sizeof *works); }
const char *stress_work_name(int which) { return works[which].name; }
int stress_round(int which) { return works[which].round(); }
