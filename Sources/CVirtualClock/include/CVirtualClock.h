#ifndef CVIRTUALCLOCK_H
#define CVIRTUALCLOCK_H

#include <stdint.h>

/// Sets what clock_gettime tells the calling thread, in nanoseconds, from here on.
void mainspring_virtual_clock_set(uint64_t monotonic, uint64_t boot, uint64_t wall);

/// Lets clock_gettime tell the calling thread the kernel's time again.
void mainspring_virtual_clock_clear(void);

#endif
