// Shared between the C files of this target only.
#pragma once

#include "CStackCapture.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <ucontext.h>

/// This process; a forked child sets its own.
extern pid_t ms_own_process;

/// Opens what the handler needs. Once, before the first capture. Returns 0 or an error number.
int ms_safe_read_prepare(void);

/// Finds the places in libc where a call that reports EINTR returns to. Once, before the first capture.
void ms_call_sites_learn(void);

/// Remembers the place where a thread sleeps in `number`, if the code before it agrees.
void ms_call_sites_add(uint64_t program_counter, int64_t number);

/// Steps an interrupted call back onto its `syscall` instruction, so that the program sees no EINTR.
/// `request` may be NULL. In the handler. Says whether it did.
bool ms_restart_interrupted_call(ucontext_t *context, const ms_capture_request *request);

/// The part of a capture that runs on the target. `slot` is what the signal carried; not trusted.
/// Says whether the signal was one of ours.
bool ms_capture_in_handler(const siginfo_t *info, ucontext_t *context);
