// Counts what one thread asks the allocator for.
#pragma once

#include <stdint.h>

/// How often the calling thread has asked for memory: malloc, calloc, realloc and the aligned ones.
uint64_t cost_allocations_of_this_thread(void);
