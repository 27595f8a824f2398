#!/bin/sh
# Keeps two loops busy for a long time and fails if an operation is lost or anything grows: an hour at a hundred thousand
# operations a second, or what the options say (--duration=2m --rate=50000).
set -eu
cd "$(dirname "$0")/.."
# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Benchmarks/Package.swift
echo "soak: building in release" >&2
swift build -c release --package-path Benchmarks --product Soak >&2
program=$(swift build -c release --package-path Benchmarks --show-bin-path)/Soak
exec "$program" "$@"
