// A wall clock that can be set, for one process: loaded before it (LD_PRELOAD), the library moves CLOCK_REALTIME by a
// number of seconds and leaves every other clock alone.
#pragma once

/// Moves the wall clock by so many seconds from what it is in truth. Any thread.
void clock_shift_set(long seconds);
