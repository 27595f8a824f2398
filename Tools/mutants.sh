#!/bin/sh
# Plants every fault of Tests/Mutants, all into one build, and runs for each the tests that cite its rule: they must
# fail. A fault that nobody notices, or that does not fit the sources any more, fails the command.
#   --only=M26,CF31     the faults against these rules alone
#   --patience=SECONDS  how long a test may take before it counts as hanging (3; more for slow ones)
set -eu
cd "$(dirname "$0")/.."
mkdir -p .build/mutants
program=.build/mutants/mutants
if [ -z "$(find "$program" -newer Tools/Mutants -prune 2>/dev/null)" ] ||
  [ -n "$(find Tools/Mutants -name '*.swift' -newer "$program")" ]; then
  swiftc -swift-version 6 -o "$program" Tools/Mutants/*.swift
fi
exec "$program" "$@"
