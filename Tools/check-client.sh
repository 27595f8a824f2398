#!/bin/sh
# Builds a package outside the tree that uses the product Mainspring alone, the README's first example, with the headers of the -dev packages
# hidden, and fails on any warning. Prints the path of the program that it built.
set -eu
cd "$(dirname "$0")/.."
tree=$(pwd)
client=${MAINSPRING_CLIENT_FOLDER:-${TMPDIR:-/tmp}/mainspring-client-$(id -u)}
mkdir -p "$client/Sources/Client"

cat >"$client/Package.swift" <<PACKAGE
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "client",
  dependencies: [.package(name: "mainspring", path: "$tree")],
  targets: [
    .executableTarget(name: "Client", dependencies: [.product(name: "Mainspring", package: "mainspring")])
  ]
)
PACKAGE
# The program is the README's first example, so that what people copy is what is built.
sed -n '/^```swift$/,/^```$/{/^```/!p;/^```$/q}' README.md >"$client/Sources/Client/Client.swift"
grep -q '@main' "$client/Sources/Client/Client.swift" || { echo "check-client: the README begins with no program" >&2; exit 1; }

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
program=$(swift build --package-path "$client" -Xcc -ivfsoverlay -Xcc "$client/hidden.json" --show-bin-path 2>/dev/null)/Client
case $("$program") in
  *beat*"the run ended: finished") ;;
  *) echo "check-client: the README's example does not do what it says" >&2; exit 1 ;;
esac
echo "$program"
