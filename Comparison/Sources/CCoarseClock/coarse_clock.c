#include "include/CCoarseClock.h"

#include <time.h>

int clock_getres(clockid_t clock, struct timespec *resolution) {
    (void)clock;
    if (resolution) {
        resolution->tv_sec = 0;
        resolution->tv_nsec = 1000000;
    }
    return 0;
}
