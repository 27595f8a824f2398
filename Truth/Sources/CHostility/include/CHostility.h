// What is done to a process from outside and beside it: helpers of their own, signals, forks, exceptions.
#ifndef CHOSTILITY_H
#define CHOSTILITY_H
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// A helper process: this program started again as `--helper KIND PID`, with a pipe to it and one from it.
struct helper_process {
  pid_t process;
  int to;
  int from;
};
// 0 or an errno.
int helper_start(const char *kind, struct helper_process *out);
// Closes its pipes and waits for its end.
void helper_end(struct helper_process *helper);
// What a helper does: KIND is hog, stopper, or sleeper. Gives back an exit code.
int helper_main(const char *kind, pid_t parent);

// Forks a child that leaves at once, and waits for it.
void fork_once(void);
// Starts a child that leaves after so many milliseconds; gives back its number, or -1.
pid_t fork_sleeper(int milliseconds);
// Throws and catches a C++ exception from so many calls deep.
int throw_through(int depth);
// Counts signals of this number and does nothing else.
void count_signals(int signal, int restarts);
long counted_signals(void);
// ns.
uint64_t monotonic_now(void);
// Where the calling thread's time went, ns: on a processor, and ready for one. 0 or an errno.
int own_times(uint64_t *cpu, uint64_t *runnable);
// A pipe that children do not inherit. 0 or an errno.
int open_pipe(int ends[2], int blocks);
// Names the calling thread; cut to 15 bytes.
void name_thread(const char *name);

#ifdef __cplusplus
}
#endif
#endif
