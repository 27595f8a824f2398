// The driver of the toolchain's fuzzer (compiler-rt), which `-sanitize=fuzzer` links.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs `one` on inputs until the options say that it is enough. Changes `argc` and `argv`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *bytes, size_t count));
