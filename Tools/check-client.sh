#!/bin/sh
# Builds a package outside the tree that uses the product Mainspring alone, with the headers of the -dev packages
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
cat >"$client/Sources/Client/Client.swift" <<'SWIFT'
import Mainspring

@main
struct Client {
  static func main() {
    let loop = RunLoop.current
    loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in print("ran") }, to: .default)
    loop.run()
  }
}
SWIFT

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
[ "$("$program")" = ran ] || { echo "check-client: the client does not run" >&2; exit 1; }
echo "$program"
