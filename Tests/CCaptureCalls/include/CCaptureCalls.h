// What threads do while they are sampled, as far as Swift cannot say it.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many ways of waiting `test_wait_once` knows, and their names.
int test_wait_count(void);
const char *test_wait_name(int which);

/// Waits a millisecond or two in one of these ways. Returns 0, or the error number that the program would have seen.
int test_wait_once(int which);

/// Calls `body` on another stack, as coroutines run; returns when it does. 0, or an error number.
int test_on_other_stack(void *stack, size_t bytes, void (*body)(void *), void *argument);

/// Calls `body` with no more than some `bytes` left of the calling thread's stack.
void test_near_stack_end(size_t bytes, void (*body)(void *), void *argument);

/// From now on the kernel refuses process_vm_readv and ptrace to this process, as sandboxes do. 0, or an error number.
int test_forbid_reading_processes(void);

/// Calls `body` from a member function of a class template of C++.
void test_call_from_template(void (*body)(void *), void *argument);

/// Takes SIGPROF and every real-time signal away from whoever has them. How many have come since is counted.
void test_take_all_signals(void);
int test_signals_taken(void);

#ifdef __cplusplus
}
#endif
