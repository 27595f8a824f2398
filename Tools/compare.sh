#!/bin/sh
# Plays the same scenarios on CFRunLoop and on Mainspring, and prints what came of each side. Options go to the
# program: --only=NAMES, --json, --markdown, --page=Docs/Comparison.md.
set -eu
cd "$(dirname "$0")/.."
# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Comparison/Package.swift
echo "compare: building in release (the first time takes a minute or two)" >&2
# The whole package: two scenarios are started with libraries that no program links.
swift build -c release --package-path Comparison >&2
exec "$(swift build -c release --package-path Comparison --show-bin-path)/Comparison" "$@"
