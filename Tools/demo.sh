#!/bin/sh
# Builds the example Thumbs in release and runs it on the pictures of Debian's package mate-backgrounds.
set -eu
cd "$(dirname "$0")/.."
folder=out/demo
mkdir -p "$folder"
# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Examples/Package.swift
echo "demo: building in release (the first time takes a minute or two)"
swift build -c release --package-path Examples --product Thumbs
program=$(swift build -c release --package-path Examples --show-bin-path)/Thumbs
echo "demo: thumbnails of /usr/share/backgrounds/mate in $folder/thumbnails, reports of stalls in $folder/stalls"
exec "$program" --output="$folder/thumbnails" --reports="$folder/stalls" "$@"
