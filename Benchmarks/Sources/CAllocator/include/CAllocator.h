// What Swift's Glibc module leaves out of <malloc.h>.
#pragma once

#include <malloc.h>

/// Gives the memory that is free back to the system.
static inline void allocator_trim(void) { malloc_trim(0); }
