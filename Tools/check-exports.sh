#!/bin/sh
# Writes real reports, odd ones and the example of stall-report/1 in every foreign format, and the trace of two loops, has
# each read by tools that are not ours, and fails if one finds something else in it than the reports, or the program that was
# traced, say. What they printed and drew stays in out/exports.
set -eu
cd "$(dirname "$0")/.."
say() { printf 'exports: %s\n' "$*" >&2; }
Tools/deps.sh exports >&2
GO=/usr/lib/go-1.19/bin/go
export GO

python=.build/exports/bin/python3
if ! cat Tools/Exports/*.txt | cmp -s - .build/exports/installed; then
  say "installing the Python packages of Tools/Exports"
  python3 -m venv .build/exports
  "$python" -m pip install -q --disable-pip-version-check -r Tools/Exports/requirements.txt >&2
  "$python" -m pip install -q --disable-pip-version-check --no-deps -r Tools/Exports/alone.txt >&2
  cat Tools/Exports/*.txt >.build/exports/installed
fi

say "stalling a loop"
swift build --product ExportSamples >&2
rm -rf out/exports
mkdir -p out/exports
timeout 120 "$(swift build --show-bin-path)/ExportSamples" out/exports/samples \
  Tests/StallReportTests/Fixtures/stall-report-1.json >&2
status=0
"$python" Tools/Exports/check.py out/exports/samples out/exports/results || status=1
# What a person sees of it.
for drawing in out/exports/results/*.svg; do
  timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,900 \
    --screenshot="${drawing%.svg}.png" "file://$PWD/$drawing" >/dev/null 2>&1 || say "no picture of $drawing"
done
exit "$status"
