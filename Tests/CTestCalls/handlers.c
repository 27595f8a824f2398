#include "CTestCalls.h"

#include <signal.h>
#include <stddef.h>

static mainspring_loop *volatile used;

static void stop_all(int signal) {
    (void)signal;
    mainspring_stop(used, mainspring_stop_all);
}

static void wake_up(int signal) {
    (void)signal;
    mainspring_wake_up(used);
}

void test_signals_use(mainspring_loop *loop) {
    used = loop;
    struct sigaction action = {.sa_handler = stop_all, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = wake_up;
    sigaction(SIGUSR2, &action, NULL);
}

int test_errno_after(int signal, int number) {
    errno = number;
    raise(signal);
    return errno;
}
