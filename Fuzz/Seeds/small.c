// A program of a few functions, for the readers of ELF, DWARF and unwind tables to be tried on.
static volatile int sink;

static inline __attribute__((always_inline)) int innermost(int n) {
    sink = n;
    return sink * 2;
}

static inline __attribute__((always_inline)) int middle(int n) {
    return innermost(n + 1) + 1;
}

__attribute__((noinline)) int outer(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += middle(i);
    return sum;
}

__attribute__((noinline)) int other(int n) {
    return n > 0 ? outer(n) + 1 : 0;
}

// In a section of its own, so that the unit has several stretches of code.
__attribute__((cold, noinline)) int cold(int n) {
    return other(n) + 2;
}

void _start(void) {
    sink = other(3) + cold(4);
    __asm__ volatile("mov $60, %eax; xor %edi, %edi; syscall");
}
