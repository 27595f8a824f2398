#!/bin/sh
# Installs by apt what this project needs and this machine lacks. Called by `make deps`, and with the name of a set by
# the commands that need more. The loop itself needs nothing but Swift.
set -eu

case ${1:-base} in
  # The archive of reports is compressed, the upload speaks HTTP and is tested against a server; display links follow an X
  # server or a Wayland compositor, and are tested against those that have no screen; the examples read pictures, and one of
  # them shows icons in a window, which its tests use as a hand would; GLib's loop hosts ours, and ours GLib's.
  base) packages="zlib1g-dev libcurl4-openssl-dev nginx-light libxcb1-dev libxcb-present-dev libxcb-randr0-dev xvfb x11-xserver-utils libwayland-dev weston libglib2.0-dev libjpeg62-turbo-dev libpng-dev mate-backgrounds libxcb-shm0-dev libcairo2-dev fonts-dejavu-core oxygen-icon-theme xdotool" ;;
  # The other loops, and what counts system calls.
  bench) packages="libuv1-dev libev-dev libevent-dev libglib2.0-dev pkg-config strace" ;;
  # What counts system calls and instructions.
  counts) packages="strace valgrind" ;;
  # What reads the exports of reports. The Python packages come from their index.
  exports) packages="golang-1.19-go chromium python3-venv" ;;
  # Loops and libraries of others, with the servers that they are tested against, and GTK, under an X server.
  bridges) packages="libuv1-dev libsystemd-dev libpq-dev postgresql libhiredis-dev redis-server libcurl4-openssl-dev libgtk-4-dev xvfb xauth" ;;
  plots) packages="gnuplot-nox" ;;
  *) printf 'deps: no set of packages is called %s\n' "$1" >&2; exit 1 ;;
esac

say() { printf 'deps: %s\n' "$*"; }
fail() { printf 'deps: %s\n' "$*" >&2; exit 1; }

command -v swift >/dev/null 2>&1 || fail "no 'swift' in PATH; install Swift 6.3 or later (https://www.swift.org/install/linux)"
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
major=${version% *}
minor=${version#* }
[ -n "$version" ] || fail "cannot tell the version of $(command -v swift); Swift 6.3 or later is needed"
if [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 3 ]; }; then
  fail "Swift $major.$minor is too old; Swift 6.3 or later is needed"
fi

# Sets `missing` to the packages that are not there, each with a space before it.
look() {
  missing=""
  for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
  done
}
look
if [ -z "$missing" ]; then
  say "nothing to install (have: $packages)"
  exit 0
fi

command -v apt-get >/dev/null 2>&1 || fail "missing:$missing; there is no apt-get here, install them by your system's means"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || fail "missing:$missing; run as root or install sudo: apt-get install$missing"
  as_root="sudo"
fi
say "installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
if ! { $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  fail "apt-get could not install:$missing (its last lines are above)"
fi
installed=$missing
look
[ -z "$missing" ] || fail "apt-get reported success, but these are still missing:$missing"
say "installed:$installed"
