// Stretches of work, measured from within the process, and the line that tells of them.
#include "workload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// /proc counts reads and writes, but not the calls that wake a futex. Who makes them through syscall() is served by
// this one, which counts them; a C library's own locks and conditions make theirs otherwise.
static _Atomic long futex_wakes;

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex && (b & FUTEX_CMD_MASK) == FUTEX_WAKE) futex_wakes++;
    long result;
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    result = x0;
#endif
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}

struct usage {
    uint64_t time;
    double user, system;
    long sleeps, preempted, reads, writes, wakes;
};
static struct usage first, last;

static void usage_get(struct usage *x) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    x->user = (double)r.ru_utime.tv_sec * 1e9 + (double)r.ru_utime.tv_usec * 1e3;
    x->system = (double)r.ru_stime.tv_sec * 1e9 + (double)r.ru_stime.tv_usec * 1e3;
    x->sleeps = r.ru_nvcsw;
    x->preempted = r.ru_nivcsw;
    x->wakes = futex_wakes;
    x->reads = x->writes = 0;
    char text[512];
    int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *reads = strstr(text, "syscr:"), *writes = strstr(text, "syscw:");
    if (reads) x->reads = atol(reads + 6);
    if (writes) x->writes = atol(writes + 6);
}

void region_begin(void) {
    usage_get(&first);
    first.time = now_ns();
}

void region_end(void) {
    last.time = now_ns();
    usage_get(&last);
    last.reads -= 1;  // the first look at /proc
}

double region_ns(void) { return (double)(last.time - first.time); }

double region_cpu_ns(void) { return last.user - first.user + last.system - first.system; }

void emit(double ns, double operations, const char *format, ...) {
    double each = ns / operations;
    printf("%s %s %ld %.1f %.0f", ops.name, workload, N, each, each > 0 ? 1e9 / each : 0);
    printf(" cpu_ns=%.1f usr_ns=%.1f sys_ns=%.1f", region_cpu_ns() / operations,
           (last.user - first.user) / operations, (last.system - first.system) / operations);
    printf(" rd=%.3f wr=%.3f fx=%.3f", (double)(last.reads - first.reads) / operations,
           (double)(last.writes - first.writes) / operations, (double)(last.wakes - first.wakes) / operations);
    printf(" vcsw=%.3f icsw=%.3f", (double)(last.sleeps - first.sleeps) / operations,
           (double)(last.preempted - first.preempted) / operations);
    if (ops.version) printf(" version=%s", ops.version);
    if (*format) putchar(' ');
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void emit_figure(double figure, const char *format, ...) {
    printf("%s %s %ld %.1f 0 ", ops.name, workload, N, figure);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static int compare(const void *one, const void *other) {
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

void sort_samples(int64_t *samples, long n) { qsort(samples, (size_t)n, sizeof *samples, compare); }

double percentile_us(const int64_t *sorted, long n, int percent) {
    long index = n * percent / 100;
    return n ? (double)sorted[index < n ? index : n - 1] / 1e3 : 0;
}

enum { chunks = 20 };
long chunk_left;
static long chunk_length, chunk_count;
static uint64_t chunk_began;
static int64_t chunk_times[chunks];

void chunk_start(long total) {
    chunk_length = chunk_left = total / chunks > 0 ? total / chunks : 1;
    chunk_count = 0;
    chunk_began = now_ns();
}

void chunk_end(void) {
    uint64_t now = now_ns();
    if (chunk_count < chunks) chunk_times[chunk_count++] = (int64_t)(now - chunk_began);
    chunk_began = now;
    chunk_left = chunk_length;
}

void emit_chunked(double ns, double operations, const char *format, ...) {
    char more[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    sort_samples(chunk_times, chunk_count);
    // Without a whole stretch, all of it was one.
    double best = ns / operations, middle = best;
    if (chunk_count > 0) {
        best = (double)chunk_times[0] / (double)chunk_length;
        middle = (double)chunk_times[chunk_count / 2] / (double)chunk_length;
    }
    emit(ns, operations, "mid=%.1f best=%.1f%s%s", middle, best, *more ? " " : "", more);
}

long rss_bytes(void) {
    malloc_trim(0);
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

long open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    long n = 0;
    if (!folder) return 0;
    while (readdir(folder)) n++;
    closedir(folder);
    return n - 3;  // ".", ".." and the folder itself
}

void raise_nofile(long wanted) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if ((long)limit.rlim_cur >= wanted) return;
    if ((long)limit.rlim_max < wanted) limit.rlim_max = (rlim_t)wanted;
    limit.rlim_cur = (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) not_possible("the limit of open files cannot be raised");
}
