#!/bin/sh
# Compiles every code block of the documentation, in articles and in doc comments, as part of a package outside the
# tree, which has the public API alone, and fails on any warning. Runs those whose output is shown, and compares.
set -eu
cd "$(dirname "$0")/.."
tree=$(pwd)
package=.build/snippets
sources=$package/Sources/Snippets
outputs=$package/Outputs
rm -rf "$sources" "$outputs"
mkdir -p "$sources" "$outputs"

cat >"$package/Package.swift" <<PACKAGE
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "snippets",
  dependencies: [.package(name: "mainspring", path: "$tree")],
  targets: [
    .executableTarget(
      name: "Snippets",
      dependencies: [
        .product(name: "Mainspring", package: "mainspring"),
        .product(name: "MainspringTesting", package: "mainspring"),
        .product(name: "MainspringTestingMainActor", package: "mainspring"),
        .product(name: "MainspringPorts", package: "mainspring"),
        .product(name: "MainspringDisplay", package: "mainspring"),
        .product(name: "MainspringWayland", package: "mainspring"),
        .product(name: "MainspringGLib", package: "mainspring"),
        .product(name: "MainspringService", package: "mainspring"),
        .product(name: "MainspringDispatch", package: "mainspring"),
        .product(name: "MainspringFoundation", package: "mainspring"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
PACKAGE

names=""
# Reads the text; $1 is the file that it is from.
take() {
  name=$(basename "$1" | sed 's/\.[a-z]*$//; s/[^A-Za-z0-9]/_/g')
  names="$names $(awk -v name="$name" -v article="$1" -v sources="$sources" -v outputs="$outputs" -f Tools/snippets.awk)"
}
for article in Sources/*/*.docc/*.md Sources/*/*.docc/*/*.md; do take "$article" <"$article"; done
for source in $(grep -rlE '^ */// ```swift' Sources --include='*.swift' | LC_ALL=C sort); do
  # Nothing but the doc comments, each on its line.
  sed -E '/^ *\/\/\//!s/.*//; s/^ *\/\/\/ ?//' "$source" >"$package/comments"
  take "$source" <"$package/comments"
done

{
  printf 'import MainspringTesting\n\n@main\nstruct Snippets {\n  static func main() throws {\n'
  printf '    // An hour of the article takes no time here, and two runs print the same.\n'
  printf '    let virtual = VirtualRunLoop()\n    defer { virtual.end() }\n'
  printf '    switch CommandLine.arguments.last {\n'
  for name in $names; do printf '    case "%s": try %s()\n' "$name" "$name"; done
  printf '    default: fatalError("no such snippet")\n    }\n  }\n}\n'
} >"$sources/Snippets.swift"

log=$package/build.log
if ! swift build --package-path "$package" >"$log" 2>&1; then
  # The compiler says the same of a function once for each file of the module.
  if ! grep -E '^[^ ].*(error|warning):' "$log" | LC_ALL=C sort -u >&2; then cat "$log" >&2; fi
  exit 1
fi
if grep -i 'warning:' "$log" >&2; then
  echo "check-snippets: a code block of the documentation warns" >&2
  exit 1
fi
program=$(swift build --package-path "$package" --show-bin-path)/Snippets

failed=0
ran=0
for expected in "$outputs"/*; do
  [ -f "$expected" ] || continue
  name=$(basename "$expected")
  timeout 60 "$program" "$name" >"$package/printed" 2>&1 || echo "(exit code $?)" >>"$package/printed"
  ran=$((ran + 1))
  diff -u "$expected" "$package/printed" >"$package/difference" && continue
  echo "check-snippets: block ${name##*_} of ${name%_*} prints something else than the article says:" >&2
  sed 1,2d "$package/difference" >&2
  failed=1
done
[ "$failed" -eq 0 ] || exit 1
# shellcheck disable=SC2086 # the names are counted
set -- $names
echo "check-snippets: $# code blocks compile, and the $ran whose output is shown print it"
