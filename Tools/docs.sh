#!/bin/sh
# Builds the documentation of the loop's libraries into out/docs, as pages for any web server that serves files. Fails on a
# warning of the documentation compiler's, on a code block of an article that does not compile or prints something else than
# it says, and on a public symbol that has no documentation or, of Mainspring, stands in no group of a page.
set -eu
cd "$(dirname "$0")/.."
work=.build/documentation
output=out/docs
modules="Mainspring MainspringTesting MainspringPorts MainspringMainExecutor MainspringTestingMainActor MainspringDisplay MainspringWayland MainspringGLib MainspringDispatch MainspringFoundation MainspringService"
command -v docc >/dev/null 2>&1 || { echo "docs: no 'docc' in PATH; it comes with Swift" >&2; exit 1; }

Tools/check-snippets.sh

echo "docs: building the modules"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for module in $modules; do
  swift build --target "$module" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
done
binaries=$(swift build --show-bin-path)
triple=$(swift -print-target-info | sed -n 's/.*"triple"[^"]*"\([^"]*\)".*/\1/p' | head -n 1)
maps=""
for map in "$binaries"/*.build/module.modulemap Sources/*/module.modulemap; do
  [ -f "$map" ] && maps="$maps -Xcc -fmodule-map-file=$map"
done

rm -rf "$work"
archives=""
for module in $modules; do
  graphs=$work/graphs/$module
  mkdir -p "$graphs"
  # What the compiler makes up for conformances, and what protocols say of their members, is not for us to document.
  # shellcheck disable=SC2086 # several options
  swift symbolgraph-extract -module-name "$module" -target "$triple" -I "$binaries/Modules" $maps \
    -minimum-access-level public -skip-synthesized-members -skip-inherited-docs -emit-extension-block-symbols -output-dir "$graphs"
  catalogue=Sources/$module/$module.docc
  # Whoever documents one parameter need not document all; but those that are must be there.
  convert() {
    docc convert "$catalogue" --additional-symbol-graph-dir "$graphs" --fallback-bundle-identifier "$module" \
      --enable-experimental-external-link-support $dependencies "$@"
  }
  dependencies=""
  for archive in $archives; do dependencies="$dependencies --dependency $archive"; done
  convert --output-path "$work/looked-at.doccarchive" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
  # Each complaint is a paragraph, with the lines that it is about.
  if awk 'BEGIN { RS = ""; ORS = "\n\n" } /^(warning|error):/ && !/^[^\n]* is missing documentation\n/ { print; n++ }
    END { exit !n }' "$log" >&2; then
    echo "docs: the documentation of $module has warnings" >&2
    exit 1
  fi
  convert --output-path "$work/$module.doccarchive" --warnings-as-errors --disable-parameters-and-returns-validation \
    --experimental-documentation-coverage --coverage-summary-level detailed >"$work/$module.coverage"
  archives="$archives $work/$module.doccarchive"
done

# The table has a line for each symbol: name, kind, documented, grouped, …, address.
judge() {
  awk -F '[[:space:]]*[|][[:space:]]*' -v module="$1" '
    # The compiler makes up the initialisers of enumerations.
    NF < 8 || ($1 ~ /^init\(rawValue:\)$/ && $3 == "false") || $2 ~ /^(CollectionGroup|Article|Extended .*)$/ || $3 !~ /^(true|false)$/ { next }
    {
      symbols++
      place = $NF
      sub(/^.*\/documentation\//, "", place)
      if ($3 == "true") documented++; else missing[++lacks] = place " (" $2 ") has no documentation"
      # Cases of enumerations and members of option sets are grouped by their kind.
      if ($4 == "true") grouped++; else alone[place] = $2
    }
    END {
      printf "docs: %s: %d of %d public symbols are documented, %d stand in a group\n", module, documented, symbols, grouped
      for (i = 1; i <= lacks; i++) print "docs: " missing[i] >"/dev/stderr"
      for (place in alone)
        if (place ~ /^Mainspring\/(RunLoop|MainRunLoop|RunLoopThread)\/[^\/]+$/ || alone[place] ~ /^(Class|Structure|Enumeration|Protocol)$/) {
          print "docs: " place " stands in no group; add it to one in " module ".docc" >"/dev/stderr"
          lacks++
        }
      exit lacks > 0
    }' "$work/$1.coverage"
}
failed=0
for module in $modules; do judge "$module" || failed=1; done
[ "$failed" -eq 0 ] || exit 1

rm -rf "$output"
mkdir -p "$(dirname "$output")"
# shellcheck disable=SC2086 # several archives
docc merge $archives --output-path "$output" --synthesized-landing-page-name Mainspring \
  --synthesized-landing-page-kind "Swift package"
echo "docs: in $output; to read them: python3 -m http.server --directory $output 8000"
echo "docs: then open http://localhost:8000/documentation/mainspring/"
