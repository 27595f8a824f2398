// What no loop can be cheaper than, a part of a loop each.
#include "CHarness.h"

/// futex, futex-spin: w1 by a futex, without any descriptor; the second looks for 50 us before it sleeps.
/// calls: w6 by an array of function pointers with a context each, called for each of the four activities of a pass
/// that does not wait.
/// thread: a thread without a loop.
bool floor_lookup(const char *name, struct peer_ops *ops);
