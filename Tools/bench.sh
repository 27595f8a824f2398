#!/bin/sh
# Measures the loop beside others, on the workloads that run loops are compared by, and says which goals are met. What
# another loop needs is installed; one that lacks its library all the same is left out. Options go to the program:
# --only=w1,w4a --peers=raw,libev --reps=5 --json --page=Docs/Performance.md; --help lists them.
set -eu
cd "$(dirname "$0")/.."
say() { printf 'bench: %s\n' "$*" >&2; }

Tools/deps.sh bench >&2 || say "not all could be installed"
# Where the toolchain's own headers lie, those of CoreFoundation and dispatch among them.
BENCHMARK_TOOLCHAIN=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")
BENCHMARK_GLIB=$(pkg-config --cflags glib-2.0 2>/dev/null || true)
BENCHMARK_PEERS=""
# add NAME HEADER [FLAGS]: NAME is built if HEADER can be included.
add() {
  # shellcheck disable=SC2086
  if printf '#include <%s>\n' "$2" | "$BENCHMARK_TOOLCHAIN/bin/clang" -x c ${3:-} -fsyntax-only - 2>/dev/null; then
    BENCHMARK_PEERS="$BENCHMARK_PEERS $1"
  else
    say "$1 is left out: there is no <$2>"
  fi
}
add Libuv uv.h
add Libev ev.h
add Libevent event2/event.h
add GLib glib.h "$BENCHMARK_GLIB"
add CoreFoundation CoreFoundation/CFRunLoop.h "-fblocks -I$BENCHMARK_TOOLCHAIN/lib/swift"
add Dispatch dispatch/dispatch.h "-fblocks -I$BENCHMARK_TOOLCHAIN/lib/swift"
export BENCHMARK_TOOLCHAIN BENCHMARK_GLIB BENCHMARK_PEERS

# A nested package does not notice files that came or went in the package around it; a younger manifest tells it.
touch Benchmarks/Package.swift
say "building in release (the first time takes a minute or two)"
swift build -c release --package-path Benchmarks >&2
exec "$(swift build -c release --package-path Benchmarks --show-bin-path)/Bench" "$@"
