#!/usr/bin/env bash
# bench.sh - in a bundle, on the machine with the GPU, after ./run.sh 'blas2*': products beside cuBLAS at each level of the translator, with symv's
# two ways, edges apart or not, and the reductions.
#   ./blas2_bench.sh [LARGEST]     of the products' n, 16384; reductions go up to 8192
# Leaves build/blas2_NAME.txt.
set -u
cd "$(dirname "$0")" || exit 1
largest=${1:-16384}
[ -x build/blas2-REAL=float_O3 ] || ./run.sh 'blas2*'
# run NAME PROGRAM WORDS...
run() {
  local name=$1
  shift
  echo "== $name"
  "$@" | tee "build/blas2_$name.txt"
}
for real in float double; do
  for level in 0 2 3; do run "products-$real-O$level" "build/blas2-REAL=${real}_O$level" bench --largest "$largest"; done
  for way in once twice; do run "symv-$way-$real-O3" "build/blas2-REAL=${real}_O3" bench --largest "$largest" --symv $way; done
  run "edges-$real-O3" "build/blas2-REAL=${real}_O3" edges --largest "$largest"
  for reduction in hessenberg bidiagonal tridiagonal; do
    for level in 0 2 3; do
      run "$reduction-$real-O$level" "build/blas2-REAL=${real}_O$level" $reduction bench --largest $((level == 3 ? (largest < 8192 ? largest : 8192) : 1024))
    done
  done
done
