// Stretches of work, measured from within the process, and the line that tells of them.
#include "workload.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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
    x->wakes = futex_wakes();
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
