#include "CCounts.h"

#include <unistd.h>

// No descriptor has the number -1, so that nothing is written but a line in the trace of who watches. callgrind throws
// away what it has collected before counts_begin, and writes down what it has at counts_end.

__attribute__((noinline)) void counts_begin(void) {
    if (write(-1, "begin", 5) == 0) __builtin_trap();
}

__attribute__((noinline)) void counts_end(void) {
    if (write(-1, "end", 3) == 0) __builtin_trap();
}
