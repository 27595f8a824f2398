#!/bin/sh
# Four facts of the architecture: what each target imports, that a user of the loop alone links neither
# Foundation nor dispatch, that every @unchecked Sendable is on the list, and that the sources are formatted.
set -eu
cd "$(dirname "$0")/.."
failed=0
complain() { printf 'architecture: %s\n' "$*" >&2; failed=1; }

# 1. Imports.
for folder in Sources/*/; do
  target=$(basename "$folder")
  ls "$folder" | grep -q . || continue
  find "$folder" -name '*.swift' | grep -q . || continue
  allowed=$(sed -n "s/^$target: *//p; s/^$target:\$//p" Tools/allowed-imports.txt)
  grep -q "^$target:" Tools/allowed-imports.txt || { complain "$target is not in Tools/allowed-imports.txt"; continue; }
  found=$(find "$folder" -name '*.swift' -exec sed -nE \
    's/^[[:space:]]*(@[A-Za-z_]+(\([^)]*\))?[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]+((class|struct|enum|protocol|func|var|let|typealias)[[:space:]]+)?([A-Za-z_0-9]+).*/\7/p' {} + | sort -u)
  for module in $found; do
    case " $allowed " in
      *" $module "*) ;;
      *) complain "$target imports $module; it may import: ${allowed:-nothing}" ;;
    esac
  done
done

# 2. Neither Foundation nor dispatch under the loop: a program that uses the product Mainspring alone.
client=$(Tools/check-client.sh) || { complain "the client package does not build"; client=""; }
if [ -n "$client" ]; then
  if ldd "$client" | grep -q Foundation; then complain "a client of Mainspring loads Foundation"; fi
  # Swift's own concurrency library loads dispatch, and dispatch BlocksRuntime: here counts what the client itself links.
  links=$(readelf -d "$client") || complain "what a client of Mainspring links cannot be read"
  for library in Foundation dispatch BlocksRuntime; do
    if printf '%s\n' "$links" | grep NEEDED | grep -q "$library"; then complain "a client of Mainspring links $library"; fi
  done
fi

# 3. Promises that the compiler cannot check.
git grep -hoE '(class|struct|enum|extension) +[A-Za-z_.<>]+[^{]*@unchecked Sendable' -- 'Sources/*.swift' |
  sed -E 's/^(class|struct|enum|extension) +([A-Za-z_.]+).*/\2/' | sort -u >"${TMPDIR:-/tmp}/unchecked.$$"
sed -nE 's/^- `([A-Za-z_.]+)`.*/\1/p' Docs/UncheckedSendable.md | sort -u >"${TMPDIR:-/tmp}/listed.$$"
for name in $(comm -23 "${TMPDIR:-/tmp}/unchecked.$$" "${TMPDIR:-/tmp}/listed.$$"); do
  complain "$name is @unchecked Sendable and not in Docs/UncheckedSendable.md"
done
for name in $(comm -13 "${TMPDIR:-/tmp}/unchecked.$$" "${TMPDIR:-/tmp}/listed.$$"); do
  complain "$name is in Docs/UncheckedSendable.md and not @unchecked Sendable"
done
rm -f "${TMPDIR:-/tmp}/unchecked.$$" "${TMPDIR:-/tmp}/listed.$$"
if git grep -nE 'nonisolated\(unsafe\)' -- 'Sources/*.swift'; then complain "nonisolated(unsafe) in Sources"; fi

# 4. Form.
swift format lint --strict --recursive --parallel Package.swift Sources Tests Tools Examples Bridges Benchmarks Comparison Truth || complain "not formatted: run 'make format'"

[ "$failed" -eq 0 ] && echo "architecture: imports, libraries, promises and form are as they should be"
exit "$failed"
