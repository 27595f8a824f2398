#!/bin/sh
# Stalls loops that the monitor watches, as an injection file says, and compares what the monitor told with what was
# done: Tools/truth.sh [FILE], by default Truth/grids/standard.txt; "long" is Truth/grids/long.txt. Then measures what
# being watched costs. Fails where a goal is missed. Logs and JSON stay in out/truth; `truth-score --list
# out/truth/monitor out/truth/foreign` has every miss and false alarm in a line.
set -eu
cd "$(dirname "$0")/.."
grid=${1:-Truth/grids/standard.txt}
stalls=0
others=0.15
case $grid in
  long) grid=Truth/grids/long.txt; stalls=10000; others=0.02 ;;
  Truth/grids/standard.txt) stalls=2000 ;;
esac
say() { printf 'truth: %s\n' "$*" >&2; }
[ -r "$grid" ] || { say "there is no injection file $grid"; exit 2; }

# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Truth/Package.swift
say "building in release (the first time takes a minute or two)"
for product in truth-injector truth-foreign truth-score truth-cost; do
  swift build -c release --package-path Truth --product "$product" >&2
done
bin=$(swift build -c release --package-path Truth --show-bin-path)

mkdir -p out/truth
"$bin/truth-injector" --grid="$grid" --out=out/truth/monitor
say "loops of others, in a process of their own"
"$bin/truth-foreign" --grid="$grid" --out=out/truth/foreign
# Others' rules put observers and blocks into the loops: they are let in only where our own figures are not taken from.
say "once more, shorter, with the rules of others beside"
"$bin/truth-injector" --grid="$grid" --out=out/truth/others --scale="$others" --baselines
score() { "$bin/truth-score" --stalls="$stalls" --baselines=out/truth/others "$@" out/truth/monitor out/truth/foreign; }
score --json >out/truth/score.json || true
status=0
score || status=$?
say "what being watched costs, ten seconds"
printf '\nWhat being watched costs:\n'
"$bin/truth-cost" --save=out/truth/cost.json || status=$?
exit "$status"
