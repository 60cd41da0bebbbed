#!/usr/bin/env bash
# bench.sh - in a bundle, on the machine with the GPU, after ./run.sh 'junction*': the paper's sweep of the node-level primitives at each level
# of the translator, in the log domain, and over the number of values that a stage of a sum has.
#   ./junction_bench.sh [WORDS OF junction bench]
# Leaves build/junction_NAME.txt.
set -u
cd "$(dirname "$0")" || exit 1
[ -x build/junction_O2 ] || ./run.sh 'junction*'
# run NAME PROGRAM WORDS...
run() {
  local name=$1 program=$2
  shift 2
  echo "== $name"
  "$program" bench "$@" | tee "build/junction_$name.txt"
}
for program in build/junction_O*; do case $program in *.*) ;; *) run "${program#build/junction_}" "$program" "$@" ;; esac; done
run log build/junction_O2 --log "$@"
for fan_in in 16 32 128 256; do run "fan-in-$fan_in" build/junction_O2 --widths 15,20,25 --states 2 --separators 2 --children 4 --fan-in $fan_in; done
