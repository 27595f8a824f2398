#!/bin/sh
# Measures how what each operation costs grows, and draws it: tables and plots in Docs/Performance, and where it was
# measured in Docs/Performance.md. Options go to the program: --only=timers --reps=5.
set -eu
cd "$(dirname "$0")/.."
folder=Docs/Performance
Tools/deps.sh plots >&2
Tools/bench.sh --growth=$folder --page=Docs/Performance.md "$@"
for table in "$folder"/*.tsv; do
  plot=${table%.tsv}.svg
  gnuplot -e "table='$table'; plot='$plot'; heading='$(sed -n '1s/^# //p' "$table")'" Tools/plots.gp
  printf 'plots: %s\n' "$plot" >&2
done
