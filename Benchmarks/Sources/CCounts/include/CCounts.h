// What counts, and what Swift's Glibc module leaves out or marks as unavailable.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>

/// How often memory was asked for so far, by whatever thread of the process: malloc, calloc, realloc and the aligned ones.
uint64_t counts_allocations(void);

/// The measured region begins and ends here. The tools that watch the program know the two by their names, or by the
/// failing calls to the kernel that they make.
void counts_begin(void);
void counts_end(void);

/// From here on epoll_pwait takes the place of epoll_pwait2.
void counts_lack_epoll_pwait2(void);

/// A counter of the kernel's that nobody blocks on; its descriptor, or -1.
static inline int counts_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/// The Swift runtime's: what was written, of a name as the linker has it, in memory that is the caller's to free; NULL if it
/// is no name of Swift's.
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);
