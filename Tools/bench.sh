#!/bin/sh
# Runs the loop on the workloads that run loops are compared by, and prints a line each: nanoseconds an operation,
# the median of five runs, with processor time and system calls.
set -eu
cd "$(dirname "$0")/.."
# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Benchmarks/Package.swift
echo "bench: building in release"
swift build -c release --package-path Benchmarks --product MainspringPeer >/dev/null
program=$(swift build -c release --package-path Benchmarks --show-bin-path)/MainspringPeer

field() { printf '%s\n' "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"; }

printf '%-18s %-8s %9s %12s %12s %10s %10s\n' LOOP WORKLOAD N 'NS' 'CPU NS' READS WRITES
run() {
  lines=$(for _ in 1 2 3 4 5; do "$program" "$@"; done)
  line=$(printf '%s\n' "$lines" | sort -n -k4 | sed -n 3p)
  printf '%-18s %-8s %9s %12s %12s %10s %10s\n' "$1" "$2" "$3" "$(printf '%s\n' "$line" | cut -d' ' -f4)" \
    "$(field "$line" cpu_ns)" "$(field "$line" rd)" "$(field "$line" wr)"
}
for loop in mainspring mainspring-main; do
  run $loop w1 20000
  run $loop w2p1 300000
  run $loop w2p2 300000
  run $loop w3 300000
  for timers in 1000 10000 100000 1000000; do run $loop w4a $timers; done
  run $loop w6o0 300000
  run $loop w6o1 300000
  run $loop w6o10 100000
done
run mainspring-port w2p1 300000
run mainspring-port w2p2 300000
