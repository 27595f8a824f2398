#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CHostility.h"

extern char **environ;

int helper_start(const char *kind, struct helper_process *out) {
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0) return errno;
  if (pipe2(up, O_CLOEXEC) != 0) return errno;
  char own[16];
  snprintf(own, sizeof own, "%d", getpid());
  char *arguments[] = {"truth-injector", "--helper", (char *)kind, own, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], 0);
  posix_spawn_file_actions_adddup2(&actions, up[1], 1);
  int error = posix_spawn(&out->process, "/proc/self/exe", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(down[0]);
  close(up[1]);
  out->to = down[1];
  out->from = up[0];
  if (error == 0) prctl(PR_SET_PTRACER, out->process, 0, 0, 0);
  return error;
}

void helper_end(struct helper_process *helper) {
  close(helper->to);
  close(helper->from);
  int status;
  while (waitpid(helper->process, &status, 0) < 0 && errno == EINTR) {
  }
}

static uint64_t monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void pause_for(uint64_t nanoseconds) {
  struct timespec rest = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

static void tell(uint64_t from, uint64_t to) {
  printf("%llu %llu\n", (unsigned long long)from, (unsigned long long)to);
}

// Waits until no thread of the process runs, for at most a second: a signal takes its time.
static void await_stopped(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  for (int attempt = 0; attempt < 10000; attempt++) {
    FILE *file = fopen(path, "re");
    if (!file) return;
    char line[512];
    size_t count = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[count] = 0;
    char *state = strrchr(line, ')');
    if (state && (state[2] == 'T' || state[2] == 't')) return;
    pause_for(100000);
  }
}

static void stop(pid_t process, uint64_t time) {
  uint64_t from = monotonic();
  kill(process, SIGSTOP);
  await_stopped(process);
  pause_for(time);
  kill(process, SIGCONT);
  tell(from, monotonic());
}

enum { traced_max = 1024 };

// Stops every thread as a debugger does, and lets them go on.
static void trace(pid_t process, uint64_t time) {
  static pid_t threads[traced_max];
  static int pending[traced_max];
  int count = 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *folder = opendir(path);
  if (!folder) return;
  uint64_t from = monotonic();
  for (struct dirent *entry; (entry = readdir(folder)) && count < traced_max;) {
    pid_t thread = atoi(entry->d_name);
    if (thread <= 0 || ptrace(PTRACE_SEIZE, thread, 0, 0) != 0) continue;
    threads[count] = thread;
    pending[count++] = 0;
    ptrace(PTRACE_INTERRUPT, thread, 0, 0);
  }
  closedir(folder);
  for (int index = 0; index < count; index++) {
    int status;
    if (waitpid(threads[index], &status, __WALL) < 0) continue;
    // Met on the way to a signal's handler: the signal is to come all the same.
    if (WIFSTOPPED(status) && status >> 16 == 0) pending[index] = WSTOPSIG(status);
  }
  pause_for(time);
  for (int index = 0; index < count; index++) {
    ptrace(PTRACE_DETACH, threads[index], 0, (void *)(long)pending[index]);
  }
  tell(from, monotonic());
}

// Commands, one a line: "stop NS", "trace NS", "train RUN_NS STOP_NS COUNT". Each is answered by the stretches of time
// in which the process stood still, and a line "done".
static int stopper(pid_t parent) {
  char line[128];
  while (fgets(line, sizeof line, stdin)) {
    unsigned long long first = 0, second = 0, count = 0;
    if (sscanf(line, "stop %llu", &first) == 1) {
      stop(parent, first);
    } else if (sscanf(line, "trace %llu", &first) == 1) {
      trace(parent, first);
    } else if (sscanf(line, "train %llu %llu %llu", &first, &second, &count) == 3) {
      for (unsigned long long turn = 0; turn < count; turn++) {
        stop(parent, second);
        pause_for(first);
      }
    }
    printf("done\n");
    fflush(stdout);
  }
  return 0;
}

static int hog(void) {
  fcntl(0, F_SETFL, O_NONBLOCK);
  for (;;) {
    for (volatile int count = 0; count < 20000000; count = count + 1) {
    }
    char byte;
    if (read(0, &byte, 1) == 0) return 0;
  }
}

int helper_main(const char *kind, pid_t parent) {
  // A helper that outlived the program would go on spinning.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return 1;
  // Its own number at birth says nothing about its parent's signals.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (strcmp(kind, "hog") == 0) return hog();
  if (strcmp(kind, "stopper") == 0) return stopper(parent);
  return 1;
}
