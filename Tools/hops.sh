#!/bin/sh
# What a hop between executors costs, there and back, in ns: under the runtime's own executors, and where the main actor
# runs on the main loop. The two programs run in turns, ROUNDS (9) of them; each gives the least of its turns, and the
# median of these counts.
set -eu
cd "$(dirname "$0")/.."
touch Benchmarks/Package.swift
echo "hops: building in release" >&2
for product in DefaultHops LoopHops; do swift build -c release --package-path Benchmarks --product $product >&2; done
folder=$(swift build -c release --package-path Benchmarks --show-bin-path)
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
round=0
while [ "$round" -lt "${ROUNDS:-9}" ]; do
  "$folder/DefaultHops" | sed 's/^/default	/' >>"$rows"
  "$folder/LoopHops" | sed 's/^/loop	/' >>"$rows"
  round=$((round + 1))
done
LC_ALL=C sort -t "$(printf '\t')" -k 2,2 -k 1,1 -k 3,3n "$rows" | awk -F '\t' '
  { key = $1 SUBSEP $2; if (!($2 in seen)) { seen[$2] = 1; name[++count] = $2 }; figure[key, ++rounds[key]] = $3 }
  function median(kind, row, key) {
    key = kind SUBSEP name[row]
    return key in rounds ? figure[key, int((rounds[key] + 1) / 2)] : "-"
  }
  END {
    printf "%-42s %9s %10s\n", "there and back, ns", "default", "main loop"
    for (row = 1; row <= count; row++)
      printf "%-42s %9s %10s\n", name[row], median("default", row), median("loop", row)
  }'
