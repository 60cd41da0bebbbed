#!/usr/bin/env bash
# build.sh DIR [meson options] [-- TARGET...] - configures DIR where needed and builds all, or the targets; prints nothing but errors.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
directory=$1
shift
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1") && shift; done
shift $(($# > 0))
# meson and ninja look for python modules: an unusual python on the PATH must not hide Debian's
if [ ! -f "$directory/build.ninja" ]; then
  # a test links in a tenth of the time, and a change of one file links most of them
  if command -v ld.gold >/dev/null; then export CC_LD=${CC_LD:-gold} CXX_LD=${CXX_LD:-gold}; fi
  meson setup "$directory" "$root" -Dwerror=true -Dtests=enabled "${options[@]}" >"/tmp/mesi-setup.$$" 2>&1 || { cat "/tmp/mesi-setup.$$"; exit 1; }
  rm -f "/tmp/mesi-setup.$$"
fi
# one that was configured before this was the default
grep -q pcfiledir "$directory/meson-private/mesi-cpu.pc" || meson configure "$directory" -Dpkgconfig.relocatable=true >/dev/null
ninja -C "$directory" "$@" >"$directory/build.log" 2>&1 || { grep -E 'error|FAILED|undefined' -A 3 "$directory/build.log" | head -60; exit 1; }
# SPDX-License-Identifier: MIT
