#include "CTestCalls.h"

#include <signal.h>
#include <string.h>

void test_write_to(void *address) { *(volatile char *)address = 1; }

// Deeper with each call, and not by a jump.
static int deepen(volatile char *above) {
    volatile char room[4096];
    room[0] = above[0] + 1;
    return deepen(room) + room[1];
}

void test_overflow_stack(void) {
    volatile char none = 0;
    deepen(&none);
}

void test_write_line(const char *line) {
    ssize_t written = write(STDOUT_FILENO, line, strlen(line));
    written = write(STDOUT_FILENO, "\n", 1);
    (void)written;
}

static struct sigaction taken_from;

static void give_back(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    sigaction(number, &taken_from, NULL);
}

void test_take_over(int number) {
    struct sigaction action = {.sa_sigaction = give_back, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(number, &action, &taken_from);
}
