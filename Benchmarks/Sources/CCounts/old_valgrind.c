// valgrind before 3.21 has not heard of epoll_pwait2, and answers ENOSYS. Where the program runs in it, this puts the
// older call in its place, whose limit has milliseconds: as many calls, and nothing that is counted lasts as long as any.
#define _GNU_SOURCE
#include "CCounts.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

typedef long (*system_call)(long number, ...);
static bool lacks_epoll_pwait2;

void counts_lack_epoll_pwait2(void) { lacks_epoll_pwait2 = true; }

static long milliseconds(const struct timespec *limit) {
    return limit == NULL ? -1 : limit->tv_sec * 1000 + (limit->tv_nsec + 999999) / 1000000;
}

// glibc's. Libraries need it before this program's constructors have run.
static system_call real(void) {
    static system_call found;
    if (found == NULL) found = (system_call)dlsym(RTLD_NEXT, "syscall");
    return found;
}

// All that the program and its libraries ask of the kernel by number.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
         e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_epoll_pwait2 && lacks_epoll_pwait2) {
        number = SYS_epoll_pwait;
        d = milliseconds((const struct timespec *)d);
    }
    return real()(number, a, b, c, d, e, f);
}
