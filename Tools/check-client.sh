#!/bin/sh
# Builds and runs the README's programs in a package outside the tree, with the headers of the -dev packages hidden,
# and fails on any warning: the first example and the service, which use the product Mainspring alone, the one on virtual
# time, and those of the main actor, in release as well. Prints the path of the first.
set -eu
cd "$(dirname "$0")/.."
tree=$(pwd)
# One folder a tree: two trees may be checked at a time.
client=${MAINSPRING_CLIENT_FOLDER:-${TMPDIR:-/tmp}/mainspring-client-$(id -u)-$(printf "%s" "$tree" | cksum | cut -d" " -f1)}
# A warning shows only while a file is compiled: nothing of an earlier build may be left.
rm -rf "$client/.build"
mkdir -p "$client/Sources/Client" "$client/Sources/Service" "$client/Sources/VirtualTime" "$client/Sources/Actors" \
  "$client/Sources/Hour"

cat >"$client/Package.swift" <<PACKAGE
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "client",
  dependencies: [.package(name: "mainspring", path: "$tree")],
  targets: [
    .executableTarget(name: "Client", dependencies: [.product(name: "Mainspring", package: "mainspring")]),
    .executableTarget(name: "Service", dependencies: [.product(name: "Mainspring", package: "mainspring")]),
    .executableTarget(
      name: "Actors",
      dependencies: [
        .product(name: "Mainspring", package: "mainspring"),
        .product(name: "MainspringMainExecutor", package: "mainspring"),
      ]),
    .executableTarget(
      name: "Hour",
      dependencies: [
        .product(name: "MainspringTesting", package: "mainspring"),
        .product(name: "MainspringTestingMainActor", package: "mainspring"),
      ]),
    .executableTarget(
      name: "VirtualTime", dependencies: [.product(name: "MainspringTesting", package: "mainspring")]),
  ]
)
PACKAGE
# The programs are those of the README, so that what people copy is what is built.
take() {
  awk -v head="struct $1 {" '
    /^```swift$/ { inside = 1; block = ""; next }
    /^```$/ { if (inside && index(block, "\n" head "\n")) printf "%s", block; inside = 0 }
    inside { block = block $0 "\n" }' README.md >"$client/Sources/$2/$2.swift"
  grep -q '^@main' "$client/Sources/$2/$2.swift" || { echo "check-client: the README has no program $1" >&2; exit 1; }
}
take Hello Client
take Service Service
take Actors Actors
take Hour Hour

# The example on virtual time is a few statements: its imports stay outside, the others become a program.
virtual=$(awk '/^```swift$/ { getline; inside = /^import MainspringTesting$/ } /^```$/ { inside = 0 } inside' README.md)
[ -n "$virtual" ] || { echo "check-client: the README has no example on virtual time" >&2; exit 1; }
{
  printf '%s\n' "$virtual" | grep '^import '
  printf '\n@main\nstruct VirtualTime {\n  static func main() {\n'
  printf '%s\n' "$virtual" | sed '/^import /d; s/^/    /'
  printf '  }\n}\n'
} >"$client/Sources/VirtualTime/VirtualTime.swift"

# Every header of the -dev packages becomes one that stops the compiler.
echo '#error "this header must not be needed by a user of Mainspring"' >"$client/hidden.h"
{
  printf '{ "version": 0, "case-sensitive": true, "roots": ['
  separator=""
  for header in $(dpkg -L libjpeg62-turbo-dev libpng-dev 2>/dev/null | grep '/usr/include/.*\.h$' || true); do
    printf '%s{ "type": "file", "name": "%s", "external-contents": "%s" }' "$separator" "$header" "$client/hidden.h"
    separator=", "
  done
  printf '] }\n'
} >"$client/hidden.json"

log="$client/build.log"
if ! swift build --package-path "$client" -Xcc -ivfsoverlay -Xcc "$client/hidden.json" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
if grep -i 'warning:' "$log" >&2; then
  echo "check-client: the build of a client package warns" >&2
  exit 1
fi
folder=$(swift build --package-path "$client" -Xcc -ivfsoverlay -Xcc "$client/hidden.json" --show-bin-path 2>/dev/null)
program=$folder/Client
case $("$program") in
  *beat*"the run ended: finished") ;;
  *) echo "check-client: the README's first example does not do what it says" >&2; exit 1 ;;
esac
# It inherits the signal ignored: one that comes before it is ready is lost, and sent again.
trap '' TERM
"$folder/Service" >"$client/service.out" 2>&1 &
service=$!
trap - TERM
attempts=0
while kill -TERM "$service" 2>/dev/null; do
  attempts=$((attempts + 1))
  [ "$attempts" -lt 600 ] || { kill -KILL "$service"; echo "check-client: the README's service ignores SIGTERM" >&2; exit 1; }
  sleep 0.1
done
wait "$service" || { cat "$client/service.out" >&2; echo "check-client: the README's service fails" >&2; exit 1; }
[ "$(cat "$client/service.out")" = "saved 4096 bytes" ] || {
  cat "$client/service.out" >&2
  echo "check-client: the README's service prints something else than it says" >&2
  exit 1
}
beats=$("$folder/VirtualTime")
[ "$beats" = 3600 ] || { echo "check-client: the README's hour of virtual time had $beats beats, not 3600" >&2; exit 1; }
# What lets the main actor run on the main loop is in a library that nothing in the program calls: an optimizing build
# could leave it out. No flag is needed.
actors="more than five beats: true, on the main loop: true"
[ "$("$folder/Actors")" = "$actors" ] || { echo "check-client: the README's main actor is not on the main loop" >&2; exit 1; }
hour="slept for 3600.0 seconds, by the clock 3600.0 seconds"
[ "$("$folder/Hour")" = "$hour" ] || { echo "check-client: the README's hour of the main actor is not one" >&2; exit 1; }
for product in Actors Hour; do
  if ! swift build -c release --product "$product" --package-path "$client" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
done
release=$(swift build -c release --package-path "$client" --show-bin-path)
[ "$("$release/Hour")" = "$hour" ] || {
  echo "check-client: in release the README's hour of the main actor is not one" >&2
  exit 1
}
[ "$("$release/Actors")" = "$actors" ] || {
  echo "check-client: in release the README's main actor is not on the main loop" >&2
  exit 1
}
echo "$program"
