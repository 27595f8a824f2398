#!/bin/sh
# Lists every rule of Tools/rules.txt with the tests that hold it, and fails if one has none, or if a test cites a
# number that there is not or whose part is not built, or if Docs/RunLoopRules.md does not explain what is held.
set -eu
form=text
for option; do
  case $option in
    --json) form=json ;;
    --quiet) form=none ;;
    *)
      echo "usage: Tools/rules.sh [--json | --quiet]    (--quiet: only what is wrong, and the sum)" >&2
      exit 64
      ;;
  esac
done
cd "$(dirname "$0")/.."
# shellcheck disable=SC2046 # no file of the tree has a space in its name
exec awk -v table=Tools/rules.txt -v page=Docs/RunLoopRules.md -v form="$form" -f Tools/rules.awk \
  Docs/RunLoopRules.md Tools/rules.txt \
  $(find Tests -name '*.swift' | LC_ALL=C sort)
