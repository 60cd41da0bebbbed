#!/usr/bin/env bash
# show.sh - what ./demo shows of mpf: a network solved, on the device where there is one; then a
# kernel as it stands in mpf.mcu, and what mesicc -O1 makes of it, with its cache.
# usage: bash samples/mpf/show.sh MESICC [OPTIONS]
set -eu
mesicc=$1
shift
here=$(dirname "$0")
say() { printf '\n== %s\n' "$1"; shift; printf '   %s\n' "$*"; }

say "the chest clinic: a visit to Asia and a short breath are known; what is the cause?" \
  mesicc run samples/mpf -- solve samples/mpf/networks/chest.bif --evidence samples/mpf/networks/chest.evid --marginals
$mesicc run "$@" "$here" -- solve "$here/networks/chest.bif" --evidence "$here/networks/chest.evid" \
  --marginals --threshold 0
say "a bucket's kernel without a cache, as it stands in mpf.mcu (-O0)"
awk '/^void mpf_linear\(/ { on = 1 } on { print "   " $0 } on && /^}/ { exit }' "$here/mpf.mcu"
say "the same with the cache that the compiler adds: a page's tables in shared memory" \
  mesicc -O1 --no-line -o - samples/mpf/mpf.mcu -I samples/mpf -I samples/junction
$mesicc -O1 --no-line -o - "$here/mpf.mcu" -I "$here" -I "$here/../junction" |
  awk '/^[/][/] mpf_linear_planned_values:/ { on = 1 } on { print "   " $0 } /^}/ { on = 0 }' | cut -c1-160
