#!/usr/bin/env bash
# sweep.sh - in a bundle, on the machine with the GPU, after ./run.sh 'mpf*': figures 7, 8 and 10 of the MPF paper with the cache written by
# hand, with what mesicc makes, and with what it makes under other options (-DCACHE, -DUNROLL).
#   ./mpf_sweep.sh [WORDS OF mpf sweep]
# Leaves build/sweep_NAME.txt.
set -u
cd "$(dirname "$0")" || exit 1
nvcc=${NVCC:-nvcc}
[ -x build/mpf_O2 ] || ./run.sh 'mpf*'
objects=$(ls build/mpf.*.c.o)
# shellcheck disable=SC2086
[ -x build/mpf_hand ] || "$nvcc" -O3 -std=c++17 -arch="${MESI_ARCH:-native}" -w -include src/mpf.macros.h -I src/mpf.parts -I include \
  peers/mpf_hand.cu $objects -o build/mpf_hand || exit 1
for program in build/mpf_hand build/mpf_O2 build/mpf-CACHE=*_O2 build/mpf-UNROLL=*_O2; do
  [ -x "$program" ] || continue
  name=${program#build/}
  echo "== $name"
  "$program" sweep "$@" | tee "build/sweep_$name.txt"
done
