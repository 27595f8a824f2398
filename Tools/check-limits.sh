#!/bin/sh
# Fails if a limit of Benchmarks/counts.txt is higher than it ever was, as far as the history at hand goes, and no line of
# the changelog says so. Such a line has, in backticks, the operation, the measure and the new limit.
set -eu
cd "$(dirname "$0")/.."
# In a copy without history there is nothing to compare with; in a shallow one, what there is.
git rev-parse --git-dir >/dev/null 2>&1 || exit 0
{
  git log -p -U0 --no-color --no-ext-diff --format= -- Benchmarks/counts.txt
  echo "now:"
  cat Benchmarks/counts.txt
} | awk -v changelog=CHANGELOG.md '
  /^now:$/ { now = 1; next }
  !now && /^[-+][a-z]/ { line = substr($0, 2) }
  now && /^[a-z]/ { line = $0 }
  !line { next }
  {
    split(line, field, " ")
    line = ""
    name = field[1] " " field[2]
    limit = field[3]
    if (!now) {
      if (!(name in lowest) || limit + 0 < lowest[name] + 0) lowest[name] = limit
    } else if (name in lowest && limit + 0 > lowest[name] + 0) raised[name " " limit] = lowest[name]
  }
  END {
    while ((getline entry <changelog) > 0) for (limit in raised) if (index(entry, "`" limit "`")) delete raised[limit]
    for (limit in raised) {
      print "check-limits: the limit was " raised[limit] " once; say in " changelog " why it is `" limit "` now" >"/dev/stderr"
      failed = 1
    }
    exit failed
  }'
