#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CHostility.h"

static void wait_for(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

void fork_once(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) wait_for(child);
}

pid_t fork_sleeper(int milliseconds) {
  pid_t child = fork();
  if (child != 0) return child;
  struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
  _exit(0);
}

static atomic_long signals_counted;

static void count(int signal) {
  (void)signal;
  atomic_fetch_add_explicit(&signals_counted, 1, memory_order_relaxed);
}

void count_signals(int signal, int restarts) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count;
  sigemptyset(&action.sa_mask);
  action.sa_flags = restarts ? SA_RESTART : 0;
  sigaction(signal, &action, NULL);
}

long counted_signals(void) { return atomic_load(&signals_counted); }

uint64_t monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}


int open_pipe(int ends[2], int blocks) {
  return pipe2(ends, O_CLOEXEC | (blocks ? 0 : O_NONBLOCK)) == 0 ? 0 : errno;
}

void name_thread(const char *name) {
  char cut[16] = {0};
  strncpy(cut, name, sizeof cut - 1);
  pthread_setname_np(pthread_self(), cut);
}

int own_times(uint64_t *cpu, uint64_t *runnable) {
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  char text[96];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return EIO;
  text[length] = 0;
  unsigned long long first, second;
  if (sscanf(text, "%llu %llu", &first, &second) != 2) return EIO;
  *cpu = first;
  *runnable = second;
  return 0;
}
