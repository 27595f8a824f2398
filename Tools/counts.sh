#!/bin/sh
# Counts the calls to the kernel, the allocations and the instructions of operations of the loop, and fails if there are
# more than Benchmarks/counts.txt allows, or if a limit was raised and the changelog does not say why. Options go to the
# program: --only=NAMES, --json, --quiet, --rebase; --help lists the operations, too.
set -eu
cd "$(dirname "$0")/.."
Tools/check-limits.sh
Tools/deps.sh counts >&2
# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Benchmarks/Package.swift
# Without what is for debuggers, which valgrind would trip over.
echo "counts: building in release" >&2
swift build -c release --package-path Benchmarks --product Counts -Xlinker --strip-debug >&2
exec "$(swift build -c release --package-path Benchmarks --show-bin-path)/Counts" "$@"
