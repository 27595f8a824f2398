#!/bin/sh
# Runs the fuzzer of each parser for a while and fails if one finds anything: Tools/fuzz.sh [PARSER...], by default all.
# FUZZ_SECONDS (60) is the time of each. What was learnt stays in out/fuzz and is where the next run begins; an input that
# was found belongs, once mended, as found-NAME into Fuzz/Corpus/PARSER, where `make test` reads it from then on.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
all="elf inflate dwarf image unwind async expression maps proc waits demangle report json archive message"
parsers=${*:-$all}
say() { printf 'fuzz: %s\n' "$*" >&2; }

say "building in release (the first time takes two minutes)"
# The fuzzers are in the manifest for this environment alone. The default linker cannot read the sanitizer's sections.
export MAINSPRING_FUZZ=1
flags="-c release --product Fuzzer --scratch-path .build/fuzz -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld"
swift build $flags >&2
fuzzer=$(swift build $flags --show-bin-path)/Fuzzer
# It would read the debug information of a program that has just crashed, for minutes.
export SWIFT_BACKTRACE=enable=no

mkdir -p out/fuzz/found
table=out/fuzz/table.txt
printf '%-12s %12s %9s %9s %7s %9s %s\n' parser runs runs/s coverage inputs "RSS MiB" found >"$table"
failed=0
for parser in $parsers; do
  say "$parser, $seconds s"
  mkdir -p "out/fuzz/$parser"
  log=out/fuzz/$parser.log
  before=$(ls out/fuzz/found | grep -c "^$parser-" || :)
  # An input that takes two seconds or half a gigabyte is a finding, too.
  MAINSPRING_FUZZ_PARSER=$parser "$fuzzer" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=512 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix="out/fuzz/found/$parser-" "out/fuzz/$parser" "Fuzz/Corpus/$parser" >"$log" 2>&1 &
  wait $! || failed=1
  found=$(($(ls out/fuzz/found | grep -c "^$parser-" || :) - before))
  awk -v parser="$parser" -v found="$found" '
    / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") coverage = $(i + 1); if ($i == "corp:") { split($(i + 1), part, "/"); inputs = part[1] } } }
    /stat::number_of_executed_units/ { runs = $2 }
    /stat::average_exec_per_sec/ { rate = $2 }
    /stat::peak_rss_mb/ { memory = $2 }
    END { printf "%-12s %12d %9d %9d %7d %9d %s\n", parser, runs, rate, coverage, inputs, memory, found }
  ' "$log" | tee -a "$table" >&2
done
cat "$table"
[ "$failed" = 0 ] || { say "found: $(ls out/fuzz/found | tr '\n' ' ')in out/fuzz/found; the logs are beside"; exit 1; }
