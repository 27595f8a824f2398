#!/bin/sh
# Builds one program with some fourteen stalls in variants that are the same to its authors, runs each with the monitor, and
# compares which issue each stall belongs to. Fails if fewer than 95 % of the keys are those of the plain build.
set -eu
cd "$(dirname "$0")/.."
say() { printf 'grouping: %s\n' "$*" >&2; }
say "building the monitor"
swift build --product ExportSamples >&2
bin=$(swift build --show-bin-path)
work=.build/grouping
rm -rf "$work"
mkdir -p "$work" out/grouping
objects=$(for target in StallMonitor StallReport Mainspring LinuxKernel Symbols Gzip CLinuxKernel CMainspring CStackCapture; do
  find "$bin/$target.build" -name '*.o' 2>/dev/null
done)

# build NAME KIND FLAGS...: the program of this name, its stalls changed as KIND says.
build() {
  name=$1
  kind=$2
  shift 2
  mkdir -p "$work/$name"
  awk -v kind="$kind" -f Tools/Grouping/variants.awk Tools/Grouping/Stalls.swift >"$work/$name/Stalls.swift"
  # shellcheck disable=SC2086
  swiftc -swift-version 6 -module-name Rebuilt "$@" -I "$bin/Modules" -I Sources/CZlib \
    -Xcc -fmodule-map-file="$bin/CLinuxKernel.build/module.modulemap" \
    -Xcc -fmodule-map-file="$bin/CMainspring.build/module.modulemap" \
    -Xcc -fmodule-map-file="$bin/CStackCapture.build/module.modulemap" \
    Tools/Grouping/main.swift Tools/Grouping/Watch.swift "$work/$name/Stalls.swift" $objects -lz \
    -emit-executable -emit-module -emit-module-path "$work/$name/Rebuilt.swiftmodule" -o "$work/$name/rebuilt"
  say "$name: stalling"
  timeout 300 "$work/$name/rebuilt" >"out/grouping/$name.txt" || say "$name: ended early"
}
rm -f out/grouping/*.txt
build plain none -Onone -g
build lines lines -Onone -g
build order order -Onone -g
build names names -Onone -g
build no-debug-information none -Onone -gnone
build frame-pointers none -Onone -g -Xcc -fno-omit-frame-pointer
build evolution none -Onone -g -enable-library-evolution -suppress-warnings
build optimised none -O -g
build optimised-moved order -O -g
build optimised-evolution lines -O -g -enable-library-evolution -suppress-warnings
build whole-module none -O -wmo -g
build optimised-no-debug-information none -O -gnone

awk -F '\t' '
  FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.txt$/, "", file) }
  file == "plain" { key[$1] = $2; basis[$1] = $3; stalls++; next }
  { runs[file]++; if ($2 == key[$1]) same[file]++; else changed[++changes] = file ": " $1 ": " $3 "  instead of  " basis[$1] }
  END {
    printf "%-34s %s\n", "variant", "issues that are the same"
    for (i = 1; i < ARGC; i++) {
      file = ARGV[i]; sub(/.*\//, "", file); sub(/\.txt$/, "", file)
      if (file == "plain") continue
      printf "%-34s %d of %d\n", file, same[file], stalls
      all += stalls; kept += same[file]
    }
    if (changes) print ""
    for (i = 1; i <= changes; i++) print changed[i]
    share = all ? 100 * kept / all : 0
    printf "\n%d of %d keys, %.1f %%; at least 95 %% are to be the same\n", kept, all, share
    exit share < 95
  }' out/grouping/plain.txt $(ls out/grouping/*.txt | grep -v /plain.txt)
