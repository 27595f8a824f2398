// A clock_gettime that stands before the C library's, for the program and every library in it: the executable's symbols are
// found first. A thread that has not asked for a time of its own is told the kernel's.
#define _GNU_SOURCE
#include "CVirtualClock.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Thread_local struct {
  uint64_t monotonic, boot, wall;
} times;
static _Thread_local int is_set;

void mainspring_virtual_clock_set(uint64_t monotonic, uint64_t boot, uint64_t wall) {
  times.monotonic = monotonic;
  times.boot = boot;
  times.wall = wall;
  is_set = 1;
}

void mainspring_virtual_clock_clear(void) { is_set = 0; }

typedef int clock_call(clockid_t, struct timespec *);
static clock_call *next_call;

// Before main, and before whatever asks: dlsym is not for signal handlers, which may ask for the time.
__attribute__((constructor(101))) static void find_next(void) {
  next_call = (clock_call *)dlsym(RTLD_NEXT, "clock_gettime");
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time) {
  if (is_set) {
    uint64_t now;
    switch (clock) {
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE: now = times.monotonic; break;
    case CLOCK_BOOTTIME: now = times.boot; break;
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: now = times.wall; break;
    // Of processors, not of the day.
    default: now = UINT64_MAX;
    }
    if (now != UINT64_MAX) {
      time->tv_sec = (time_t)(now / 1000000000);
      time->tv_nsec = (long)(now % 1000000000);
      return 0;
    }
  }
  if (next_call) return next_call(clock, time);
  return (int)syscall(SYS_clock_gettime, clock, time);
}
