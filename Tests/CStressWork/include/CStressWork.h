// What threads do while their stacks are taken without end, as far as Swift cannot say it.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// How many kinds of work `stress_round` knows, and their names.
int stress_work_count(void);
const char *stress_work_name(int which);

/// Does a little of one kind of work. Returns how many of its calls ended early: short writes.
int stress_round(int which);

/// Waits up to a millisecond.
void stress_rest(void);

/// Makes the calling thread the one that the signals of the work "storm" are sent to.
void stress_receive_storm(void);

/// How many of them have come.
long stress_storm_count(void);

#ifdef __cplusplus
}
#endif
