// What the kernel and the C library offer and Swift's Glibc module leaves out.
// Declarations and one-line inline functions, and what a forked child does first (fork.c). Never define _GNU_SOURCE here: Swift imports
// this header, and a second view of <sys/select.h> clashes with Glibc's own over fd_set.
#pragma once

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// The calling thread's control block: unique among living threads, one instruction to read.
static inline uintptr_t ms_thread_pointer(void) {
    return (uintptr_t)__builtin_thread_pointer();
}

/// Begins to fetch what lies at an address that will be wanted soon. Any address will do.
static inline void ms_prefetch(const void *address) {
    __builtin_prefetch(address);
}

/// The kernel's number of the calling thread.
static inline int ms_gettid(void) {
    return (int)syscall(SYS_gettid);
}

/// The same, remembered by the thread: a load where `ms_gettid` is a system call. Right in a child once forks are watched.
int ms_thread_number(void);

/// A system call without the C library between, whose wrapper for calls that it does not know is not inlined and keeps the
/// error in a variable of the thread's. Returns what the kernel answers: an error is minus its number.
static inline long ms_system_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long answer;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return answer;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
    long answer = syscall(number, a, b, c, d, e, f);
    return answer < 0 ? -errno : answer;
#endif
}

/// Sleeps while *word == expected, until `deadline` on CLOCK_MONOTONIC (NULL: no limit).
/// Returns 0 or an error number.
static inline int ms_futex_wait(const uint32_t *word, uint32_t expected, const struct timespec *deadline) {
    return (int)-ms_system_call(
        SYS_futex, (long)word, FUTEX_WAIT_BITSET_PRIVATE, expected, (long)deadline, 0, FUTEX_BITSET_MATCH_ANY);
}

/// Wakes up to `count` threads that sleep on the word; returns how many, or minus an error number.
///
/// By the C library's function, which tools count wakes by: a wake is dear enough not to feel it.
static inline int ms_futex_wake(const uint32_t *word, int count) {
    long r = syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
    return r < 0 ? -errno : (int)r;
}

/// What is ready now (`milliseconds` 0), or whenever it is (-1): the oldest of the calls is the quickest.
/// Returns how many, or minus an error number.
static inline int ms_epoll_wait_coarse(int set, struct epoll_event *events, int max, int milliseconds) {
#ifdef SYS_epoll_wait
    return (int)ms_system_call(SYS_epoll_wait, set, (long)events, max, milliseconds, 0, 0);
#else
    return (int)ms_system_call(SYS_epoll_pwait, set, (long)events, max, milliseconds, 0, 8);
#endif
}

/// epoll_pwait2 without a signal mask: nanoseconds where epoll_wait has milliseconds.
static inline int ms_epoll_wait(int set, struct epoll_event *events, int max, const struct timespec *timeout) {
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
    return (int)ms_system_call(SYS_epoll_pwait2, set, (long)events, max, (long)timeout, 0, 8);
}

/// The calling thread's timer slack in nanoseconds, or minus an error number.
static inline long ms_timer_slack(void) {
    return ms_system_call(SYS_prctl, 30 /* PR_GET_TIMERSLACK */, 0, 0, 0, 0, 0);
}

static inline void ms_set_timer_slack(unsigned long nanoseconds) {
    (void)ms_system_call(SYS_prctl, 29 /* PR_SET_TIMERSLACK */, (long)nanoseconds, 0, 0, 0, 0);
}

// Declared by hand: <sys/timerfd.h> brings types into this module that Swift's Glibc has, too.
enum {
    MS_TFD_CLOEXEC = 02000000,
    MS_TFD_NONBLOCK = 00004000,
    MS_TFD_TIMER_ABSTIME = 1,
    MS_TFD_TIMER_CANCEL_ON_SET = 2,
};
int timerfd_create(int clock, int flags);
int timerfd_settime(int timer, int flags, const struct itimerspec *setting, struct itimerspec *former);

/// What a signalfd tells of one signal: the kernel's struct signalfd_siginfo, as far as it is needed, in its size.
/// Declared by hand since Swift would take types of <sys/signalfd.h> for this module's that are Glibc's.
struct ms_signal {
    uint32_t number;
    int32_t error;
    int32_t code;
    uint32_t process;
    uint32_t user;
    int32_t descriptor;
    uint32_t timer;
    uint32_t band;
    uint32_t overrun;
    uint32_t trap;
    int32_t status;
    int32_t value;
    uint8_t rest[80];
};

/// A signalfd for the signals of the kernel's mask, closed by exec and never blocking; or minus an error number.
static inline int ms_signalfd(const uint64_t *mask) {
    long r = syscall(SYS_signalfd4, -1, mask, sizeof *mask, EFD_CLOEXEC | EFD_NONBLOCK);
    return r < 0 ? -errno : (int)r;
}

/// A descriptor of a process, readable once it has ended; or minus an error number. By number since older headers
/// lack it; the number is the same on every architecture.
static inline int ms_pidfd_open(int process) {
    long r = syscall(434, process, 0);
    return r < 0 ? -errno : (int)r;
}

/// On how many processors the calling thread may run; 1 if the kernel does not say.
static inline int ms_usable_processors(void) {
    unsigned long mask[1024 / sizeof(unsigned long)];
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long i = 0; i < bytes / (long)sizeof *mask; i++) count += __builtin_popcountl(mask[i]);
    return count > 0 ? count : 1;
}

// Declared by hand since the C library hides it behind _GNU_SOURCE.
int sched_getcpu(void);

/// Lets the processor know that this is a spinning loop.
static inline void ms_spin_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

extern uint32_t ms_fork_generation_word;

/// How many forks lie between the first process that looked and this one.
static inline uint32_t ms_fork_generation(void) {
    return __atomic_load_n(&ms_fork_generation_word, __ATOMIC_RELAXED);
}

/// Notes a descriptor that a child is to close, and takes the note back: before it is closed.
void ms_own_descriptor(int number);
void ms_disown_descriptor(int number);

extern _Thread_local uint64_t ms_signals_of_child;

/// Says which signals a child that this thread makes is to let through, as the kernel's bits.
static inline void ms_let_through_in_child(uint64_t signals) {
    ms_signals_of_child = signals;
}

/// Holds a lock word (free 0, held 1, held with sleepers 2) over each fork from here on, so that the child finds it free.
/// Returns 0, or an error number.
int ms_hold_over_forks(uint32_t *word);

/// Sees that forks are noticed from here on: the child closes what was noted, counts the generation up, and lets signals
/// through before anything else runs in it. Returns 0, or an error number.
int ms_watch_forks(void);

/// The most descriptors that a packet brings.
enum { MS_PACKET_DESCRIPTORS = 16 };

/// Who sent a packet, or has the other end of a socket.
struct ms_sender {
    int32_t process;
    uint32_t user;
    uint32_t group;
};

/// What comes with a packet's bytes.
struct ms_packet {
    struct ms_sender sender;
    /// None comes with a packet only where there was none: at the end of what the other side sent.
    uint8_t has_sender;
    /// It was longer than there was room.
    uint8_t is_truncated;
    /// Descriptors were sent that could not be taken in: too many, or this process has none left.
    uint8_t lost_descriptors;
    uint32_t descriptor_count;
    int32_t descriptors[MS_PACKET_DESCRIPTORS];
};

/// Sockets of AF_UNIX whose messages keep their bounds (SOCK_SEQPACKET), closed by exec and never blocking. These return
/// a descriptor, or 0, or minus an error number; -EPROTOTYPE if a socket is of another kind.
int ms_packet_pair(int ends[2]);
int ms_packet_prepare(int socket);
int ms_packet_listen(const char *name, size_t count, int is_abstract, unsigned mode);
int ms_packet_connect(const char *name, size_t count, int is_abstract);
int ms_packet_accept(int listener);
int ms_packet_peer(int socket, struct ms_sender *sender);

/// Sends one datagram to a socket of this machine that has a name; 0, or minus an error number. Never waits: where that socket
/// has no room, -EAGAIN.
int ms_datagram_send(const char *name, size_t count, int is_abstract, const char *bytes, size_t byte_count);

/// Sends one packet whole or not at all. Returns its length or minus an error number.
long ms_packet_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Takes one packet. Returns its length as it was sent, or minus an error number; what did not fit is lost.
long ms_packet_receive(int socket, void *bytes, size_t capacity, struct ms_packet *packet);
