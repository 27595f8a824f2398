// Waking and stopping a loop from where nothing else may be called: a signal handler.
//
// Both functions touch plain words and make at most two system calls, take no lock, allocate nothing, use nothing of
// Swift's runtime, and leave errno as it was. They may be called at any moment on any thread, also after the loop has
// ended, as long as the `RunLoop.SignalHandle` that the pointer was taken from is kept; and in a forked child, where
// they do nothing.
#pragma once

#include <stdint.h>

#include "rescue.h"

/// The words of a loop that other threads, and signal handlers, read and write.
typedef struct mainspring_loop mainspring_loop;

/// Which runs a stop ends.
typedef enum mainspring_stop_scope {
    /// The innermost run on the stack.
    mainspring_stop_innermost,
    /// Every run on the stack.
    mainspring_stop_all,
} mainspring_stop_scope;

/// As `RunLoop.wakeUp()`.
void mainspring_wake_up(mainspring_loop *loop);

/// As `RunLoop.stop(_:)`: gives back 1 if the stop met a run, 0 if it is kept for the next outermost one.
int mainspring_stop(mainspring_loop *loop, mainspring_stop_scope scope);

// What follows is the library's own.

/// Makes the words of a loop that sleeps nowhere and was not stopped; NULL if there is no memory.
mainspring_loop *mainspring_words_make(uint32_t generation);
void mainspring_words_free(mainspring_loop *loop);

// Where each word stands.
uint32_t *mainspring_words_sleep(mainspring_loop *loop);
uint32_t *mainspring_words_door(mainspring_loop *loop);
int32_t *mainspring_words_descriptor(mainspring_loop *loop);
uint32_t *mainspring_words_ringer(mainspring_loop *loop);
uint64_t *mainspring_words_stops(mainspring_loop *loop);
uint32_t *mainspring_words_wake_requested(mainspring_loop *loop);
