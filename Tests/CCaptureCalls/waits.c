#define _GNU_SOURCE
#include "CCaptureCalls.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SPAN = 1500000 };

static struct timespec span(void) { return (struct timespec){0, SPAN}; }

static struct timespec moment(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += SPAN;
    if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, t.tv_sec++;
    return t;
}

/// What a call that answers -1 has left in errno; the end of the time is no error.
static int seen(long answer) {
    return answer >= 0 || errno == ETIMEDOUT || errno == EAGAIN ? 0 : errno;
}

static int wait_nanosleep(void) { struct timespec t = span(); return seen(nanosleep(&t, NULL)); }
static int wait_clock_nanosleep(void) { struct timespec t = span(); return clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL); }
static int wait_clock_nanosleep_until(void) {
    struct timespec t = moment(CLOCK_MONOTONIC);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}
static int wait_usleep(void) { return seen(usleep(SPAN / 1000)); }
static int wait_poll(void) { return seen(poll(NULL, 0, 2)); }
static int wait_ppoll(void) { struct timespec t = span(); return seen(ppoll(NULL, 0, &t, NULL)); }
static int wait_select(void) { struct timeval t = {0, SPAN / 1000}; return seen(select(0, NULL, NULL, NULL, &t)); }
static int wait_pselect(void) { struct timespec t = span(); return seen(pselect(0, NULL, NULL, NULL, &t, NULL)); }

static int in_epoll(int (*wait)(int)) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    int result = set < 0 ? errno : seen(wait(set));
    close(set);
    return result;
}
static int epoll_wait_in(int set) { struct epoll_event e; return epoll_wait(set, &e, 1, 2); }
static int epoll_pwait_in(int set) { struct epoll_event e; return epoll_pwait(set, &e, 1, 2, NULL); }
static int epoll_pwait2_in(int set) { struct epoll_event e; struct timespec t = span(); return epoll_pwait2(set, &e, 1, &t, NULL); }
static int wait_epoll_wait(void) { return in_epoll(epoll_wait_in); }
static int wait_epoll_pwait(void) { return in_epoll(epoll_pwait_in); }
static int wait_epoll_pwait2(void) { return in_epoll(epoll_pwait2_in); }

static int wait_sem_timedwait(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    struct timespec t = moment(CLOCK_REALTIME);
    return seen(sem_timedwait(&semaphore, &t));
}
static int wait_sem_clockwait(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    struct timespec t = moment(CLOCK_MONOTONIC);
    return seen(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &t));
}
static int wait_condition(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec t = moment(CLOCK_REALTIME);
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_timedwait(&condition, &mutex, &t);
    pthread_mutex_unlock(&mutex);
    return error == ETIMEDOUT ? 0 : error;
}
static int wait_mutex(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_trylock(&mutex);
    struct timespec t = moment(CLOCK_REALTIME);
    int error = pthread_mutex_timedlock(&mutex, &t);
    return error == ETIMEDOUT ? 0 : error;
}

/// Through a wrapper that names its call, as those of the C library do.
static int futex_once(int operation, const struct timespec *t) {
    uint32_t word = 1;
    register long r10 __asm__("r10") = (long)t;
    register long r8 __asm__("r8") = 0;
    register long r9 __asm__("r9") = FUTEX_BITSET_MATCH_ANY;
    long answer;
    __asm__ volatile("mov $202, %%eax\n\tsyscall" : "=a"(answer)
        : "D"(&word), "S"((long)operation), "d"(1L), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return answer == -ETIMEDOUT || answer == 0 ? 0 : (int)-answer;
}
static int wait_futex(void) { struct timespec t = span(); return futex_once(FUTEX_WAIT_PRIVATE, &t); }
static int wait_futex_until(void) {
    struct timespec t = moment(CLOCK_MONOTONIC);
    return futex_once(FUTEX_WAIT_BITSET_PRIVATE, &t);
}

static int on_socket(long (*receive)(int)) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return errno;
    struct timeval limit = {0, SPAN / 1000};
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    int result = seen(receive(pair[0]));
    close(pair[0]);
    close(pair[1]);
    return result;
}
static long recv_from(int socket) { char byte; return recv(socket, &byte, 1, 0); }
static long read_from(int socket) { char byte; return read(socket, &byte, 1); }
static long recvmsg_from(int socket) {
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return recvmsg(socket, &message, 0);
}
static int wait_recv(void) { return on_socket(recv_from); }
static int wait_read(void) { return on_socket(read_from); }
static int wait_recvmsg(void) { return on_socket(recvmsg_from); }
static int wait_accept(void) {
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval limit = {0, SPAN / 1000};
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    // Without a name the kernel chooses one.
    int result = bind(listener, (struct sockaddr *)&name, sizeof(sa_family_t)) != 0 || listen(listener, 1) != 0
        ? errno : seen(accept(listener, NULL, NULL));
    close(listener);
    return result;
}

static int wait_sigtimedwait(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    struct timespec t = span();
    return seen(sigtimedwait(&set, NULL, &t));
}

static int wait_semtimedop(void) {
    static _Thread_local int set = -1;
    if (set < 0) set = semget(IPC_PRIVATE, 1, 0600);
    if (set < 0) return errno;
    struct sembuf down = {0, -1, 0};
    struct timespec t = span();
    int result = seen(semtimedop(set, &down, 1, &t));
    semctl(set, 0, IPC_RMID);
    set = -1;
    return result;
}

static const struct { const char *name; int (*wait)(void); } waits[] = {
    {"nanosleep", wait_nanosleep}, {"clock_nanosleep", wait_clock_nanosleep},
    {"clock_nanosleep until a moment", wait_clock_nanosleep_until}, {"usleep", wait_usleep},
    {"poll", wait_poll}, {"ppoll", wait_ppoll}, {"select", wait_select}, {"pselect", wait_pselect},
    {"epoll_wait", wait_epoll_wait}, {"epoll_pwait", wait_epoll_pwait}, {"epoll_pwait2", wait_epoll_pwait2},
    {"sem_timedwait", wait_sem_timedwait}, {"sem_clockwait", wait_sem_clockwait},
    {"pthread_cond_timedwait", wait_condition}, {"pthread_mutex_timedlock", wait_mutex},
    {"futex for a span", wait_futex}, {"futex until a moment", wait_futex_until},
    {"recv with a limit", wait_recv}, {"read with a limit", wait_read}, {"recvmsg with a limit", wait_recvmsg},
    {"accept with a limit", wait_accept}, {"sigtimedwait", wait_sigtimedwait}, {"semtimedop", wait_semtimedop},
};

int test_wait_count(void) { return sizeof waits / sizeof *waits; }
const char *test_wait_name(int which) { return waits[which].name; }
int test_wait_once(int which) { return waits[which].wait(); }
