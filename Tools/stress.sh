#!/bin/sh
# Takes a million stacks of threads that do what is hard to be interrupted in, and fails if a program could tell: a wait
# that saw EINTR or ended early, a crash, a thread that stands still, memory that grows. Another number with
# --samples=NUMBER; how long that takes depends on how soon each thread gets a processor: a quarter of an hour, or more.
set -eu
cd "$(dirname "$0")/.."
echo "stress: building in release" >&2
swift build -c release --product CaptureStress >&2
exec "$(swift build -c release --show-bin-path)/CaptureStress" "$@"
