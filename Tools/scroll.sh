#!/bin/sh
# Measures the example ScrollList in release, the naive way of loading pictures beside the idle queue, on an X server without
# a screen: a table, or with --json the figures of each run. Screenshots are put in out/scroll.
set -eu
cd "$(dirname "$0")/.."
folder=out/scroll
mkdir -p "$folder"
# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Examples/Package.swift
echo "scroll: building in release (the first time takes a minute or two)" >&2
for product in ScrollList ScrollTable; do
  swift build -c release --package-path Examples --product "$product" >&2
done
programs=$(swift build -c release --package-path Examples --show-bin-path)
"$programs/ScrollTable" --screenshots="$folder" "$@" "$programs/ScrollList"
echo "scroll: screenshots are in $folder" >&2
