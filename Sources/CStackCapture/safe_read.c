// Reading memory that may be gone: the kernel copies, and answers where a plain load would fault.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

pid_t ms_own_process;
static _Atomic int memory_file = -1;

static int open_memory(void) {
    return open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
}

// A child of fork must read its own memory, not its parent's: both the number and the file mean the parent.
static void adopt_child(void) {
    ms_own_process = getpid();
    int old = atomic_exchange(&memory_file, -1);
    if (old >= 0) close(old);
    atomic_store(&memory_file, open_memory());
}

static int prepare_error;

static void prepare(void) {
    ms_own_process = getpid();
    atomic_store(&memory_file, open_memory());
    prepare_error = pthread_atfork(NULL, NULL, adopt_child);
}

int ms_safe_read_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
    return prepare_error;
}

long ms_raw_read(uint64_t address, void *to, size_t count) {
    struct iovec local = {to, count};
    struct iovec remote = {(void *)address, count};
    long copied = ms_raw_call(SYS_process_vm_readv, ms_own_process, (long)&local, 1, (long)&remote, 1, 0);
    int file = atomic_load_explicit(&memory_file, memory_order_relaxed);
    // Sandboxes forbid the call but rarely the file.
    if ((copied == -EPERM || copied == -ENOSYS) && file >= 0) {
        copied = ms_raw_call(SYS_pread64, file, (long)to, (long)count, (long)address, 0, 0);
    }
    return copied;
}

long ms_safe_read(uint64_t address, void *to, size_t count) {
    // Zero only before the first preparation, which a handler never is.
    if (ms_own_process == 0) ms_safe_read_prepare();
    long copied = ms_raw_read(address, to, count);
    if (copied >= 0) return copied;
    errno = (int)-copied;
    return -1;
}
