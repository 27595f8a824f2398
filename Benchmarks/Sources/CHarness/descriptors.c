// w5, w5e: tokens travel round a ring of N descriptors; each event takes one and puts it into the next, 20,000 times in
// all. w5: pipes; w5e: eventfds, which merge two tokens into one, so that they are counted.
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int *reading, *writing;
static bool *is_full, is_eventfd;
static long writes_left, events, tokens;

static void put(long i) {
    if (!is_eventfd) {
        tokens++;
    } else if (!is_full[i]) {
        is_full[i] = true;
        tokens++;
    }
    uint64_t one = 1;
    if (write(writing[i], &one, is_eventfd ? 8 : 1) < 0) die("write to descriptor %ld: %s", i, strerror(errno));
}

static void on_readable(void *arg) {
    long i = (long)arg;
    uint64_t value;
    if (!ops.loop_reads_fd && read(reading[i], &value, is_eventfd ? 8 : 1) < 0) return;
    is_full[i] = false;
    tokens--;
    events++;
    chunk_tick();
    if (writes_left > 0) {
        writes_left--;
        put(i + 1 < N ? i + 1 : 0);
    }
    if (tokens > 0) return;
    region_end();
    ops.loop_stop(LA);
}

static void start(void *unused) {
    long most = is_eventfd ? N / 2 : N;
    long count = most < 1 ? 1 : most > 100 ? 100 : most;
    writes_left = 20000;
    region_begin();
    chunk_start(writes_left);
    for (long i = 0; i < count; i++) put(i * (N / count));
}

static void open_descriptor(long i) {
    int ends[2];
    if (is_eventfd) {
        ends[0] = ends[1] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    } else if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) < 0) {
        ends[0] = -1;
    }
    if (ends[0] < 0) die("descriptor %ld: %s", i, strerror(errno));
    reading[i] = ends[0];
    writing[i] = ends[1];
}

static void ring(bool eventfds) {
    need_fds();
    if (ops.eventfd_only && !eventfds) not_possible("its loop reads the descriptor itself: eventfd and timerfd only");
    is_eventfd = eventfds;
    raise_nofile((eventfds ? N : 2 * N) + 64);
    reading = malloc(sizeof *reading * (size_t)N);
    writing = malloc(sizeof *writing * (size_t)N);
    is_full = calloc((size_t)N, sizeof *is_full);
    for (long i = 0; i < N; i++) open_descriptor(i);
    make_loop();
    ops.fds_alloc(LA, N);
    uint64_t began = now_ns();
    for (long i = 0; i < N; i++) {
        ops.fd_add(LA, i, reading[i], on_readable, (void *)i);
        cap_check(i + 1, "add", began);
    }
    if (ops.pass) ops.pass(LA);
    double add = (double)(now_ns() - began) / (double)N;
    if (ops.post) ops.post(LA, start, NULL);
    else start(NULL);
    ops.loop_run(LA);
    emit_chunked(region_ns(), (double)events, "add_ns=%.1f", add);
}

void w5(void) { ring(false); }
void w5e(void) { ring(true); }
