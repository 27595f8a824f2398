#include "CTestCalls.h"

// Put into its caller in every build.
static inline __attribute__((always_inline)) void inlined_spin(const volatile uint32_t *over) {
    while (!*over) {}
}

void test_spin_around(const volatile uint32_t *over) { inlined_spin(over); }
