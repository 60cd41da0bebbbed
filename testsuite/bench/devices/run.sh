#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [SECONDS] - launches over two GPUs of one host: times beside one GPU, results bit for bit, an array that no one has room for, and
# Jacobi by hand. Takes at most SECONDS (60); each program has a limit of its own, and what there is no time for is named.
# Table: program, level, ms on one, ms on two, efficiency (one / (2 two)), whether the results are equal.
set -u
cd "$(dirname "$0")" || exit 1
limit=${1:-60}
begin=$(date +%s%N)
passed_ms() { echo $((($(date +%s%N) - begin) / 1000000)); }
left() { echo $((limit - $(passed_ms) / 1000)); }
out=${OUT:-out}/devices
mkdir -p "$out"
unset MESI_DEVICES MESI_SPREAD MESI_STATS MESI_TRACE MESI_DUMP MESI_CPU_MEMORY CUDA_VISIBLE_DEVICES
nvidia-smi --query-gpu=index,name,memory.total --format=csv,noheader
# What was built where this was written; where that does not run, it is built here.
[ -d bin ] || tar xJf bin.tar.xz
if ! timeout 20 bin/hand >"$out/hand.probe" 2>&1; then
  echo "bin/hand does not run ($(head -n 1 "$out/hand.probe")): building here"
  mkdir -p bin
  build_log=$(realpath "$out")/build.log
  (cd bundle && MESI_ARCH=sm_90 timeout 45 ./run.sh -b -j 32 >"$build_log" 2>&1)
  nvcc -O3 -arch=sm_90 -o bin/hand own/jacobi_hand.cu
  cp bundle/build/*_O[02] bin/
fi
echo "ready after $(passed_ms) ms"
# name, level, file, seconds that a run may take
cases="\
matmul-16384 2 devices-KIND=1-N=16384-FIRST=3-REPEAT=3 12
jacobi-16384 0 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 12
jacobi-16384 2 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 12
gemv-65536 2 gemv-N=65536-FIRST=100-REPEAT=50 12
bodies-262144 2 devices-KIND=2-N=262144-FIRST=5-REPEAT=4 8
bodies-262144 0 devices-KIND=2-N=262144-FIRST=5-REPEAT=4 10
one-to-one-2^26 2 devices-KIND=3-N=67108864-FIRST=5000-REPEAT=500 8
one-to-one-2^26 0 devices-KIND=3-N=67108864-FIRST=5000-REPEAT=500 8
histogram-2^28 0 sums-KIND=0-N=268435456-FIRST=100-REPEAT=20 12
quarter-circle 0 sums-KIND=1-N=4194304-FIRST=100-REPEAT=20 12
quarter-circle 2 sums-KIND=1-N=4194304-FIRST=100-REPEAT=20 12
jacobi-4096 2 devices-KIND=0-N=4096-FIRST=400-REPEAT=400 6
jacobi-4096 0 devices-KIND=0-N=4096-FIRST=400-REPEAT=400 6
matmul-8192 0 devices-KIND=1-N=8192-FIRST=3-REPEAT=3 10"
ms_of() { sed -n 's/ ms a launch.*//p' "$1" 2>/dev/null | tail -n 1; }
sum_of() { sed -n 's/.*, sum //p' "$1" 2>/dev/null | tail -n 1; }
# time_one NUMBER ENVIRONMENT... : a case, its output in $out/NAME_OLEVEL.NUMBER
run_case() {
  local name=$1 level=$2 file=$3 seconds=$4 number=$5 most
  shift 5
  most=$(left)
  [ "$most" -gt 1 ] || { echo "no time" >"$out/${name}_O$level.$number"; return; }
  [ "$seconds" -lt "$most" ] || seconds=$most
  env "$@" timeout -k 1 "$seconds" "bin/${file}_O$level" >"$out/${name}_O$level.$number" 2>&1 || echo "exit status $?" >>"$out/${name}_O$level.$number"
}
# One GPU: every other case on each of the two, at the same time.
on_one() {
  local i=0
  while read -r name level file seconds; do
    [ $((i++ % 2)) -ne "$1" ] || run_case "$name" "$level" "$file" "$seconds" 1 CUDA_VISIBLE_DEVICES="$1"
  done <<<"$cases"
}
on_one 0 &
first=$!
on_one 1
wait $first
echo "one GPU: after $(passed_ms) ms"
printf '%-25s %5s %10s %10s %10s  %s\n' program level one two efficiency equal
row() {
  local one=$out/${1}_O$2.1 two=$out/${1}_O$2.$3 equal=no
  [ -n "$(sum_of "$one")" ] && [ "$(sum_of "$one")" = "$(sum_of "$two")" ] && equal=yes
  [ -n "$(sum_of "$two")" ] || equal="no result: $(tail -n 1 "$two" | cut -c1-90)"
  awk -v n="$1${4:-}" -v l="-O$2" -v a="$(ms_of "$one")" -v b="$(ms_of "$two")" -v e="$equal" 'BEGIN {
    printf "%-25s %5s %10s %10s %10s  %s\n", n, l, (a == "" ? "-" : a), (b == "" ? "-" : b), (a > 0 && b > 0 ? sprintf("%.3f", a / 2 / b) : "-"), e }'
}
while read -r name level file seconds; do
  run_case "$name" "$level" "$file" "$seconds" 2 MESI_DEVICES=2
  row "$name" "$level" 2
done <<<"$cases"
echo "two GPUs: after $(passed_ms) ms"
# By hand.
timeout -k 1 8 bin/hand 16384 200 4096 400 2>&1 | tee "$out/hand"
# Larger than one GPU's memory: 90 GB.
if [ "$(left)" -gt 4 ]; then
  MESI_DEVICES=2 MESI_STATS=$out/large.stats timeout -k 1 "$(($(left) < 15 ? $(left) : 15))" bin/large-N=22500000000_O2 2>&1 | tail -n 2
  grep -hE '^(spread|peer_bytes|h2d_bytes|d2h_bytes) ' "$out/large.stats" 2>/dev/null | tr '\n' ' '
  echo
fi
echo "large: after $(passed_ms) ms"
# Programs of testsuite/conformance, all launches over both that can be, and every other one: what one GPU gives, bit for bit.
conform() {
  local name=$1 stem=$2/$1 spread
  MESI_DUMP=$stem.dump1 timeout -k 1 8 "bin/${name}_O2" >"$stem.out1" 2>&1 || { echo "$name: fails on one GPU: $(tail -n 1 "$stem.out1")"; return; }
  for spread in always turns; do
    if ! MESI_DEVICES=2 MESI_SPREAD=$spread MESI_DUMP=$stem.dump2 MESI_STATS=$stem.stats timeout -k 1 8 "bin/${name}_O2" >"$stem.out2" 2>&1; then
      echo "$name $spread: FAILS: $(tail -n 1 "$stem.out2" | cut -c1-150)"
    elif cmp -s "$stem.dump1" "$stem.dump2" && cmp -s "$stem.out1" "$stem.out2"; then
      echo "$name $spread: equal, $(sed -n 's/^spread //p' "$stem.stats") launches over both"
    else
      echo "$name $spread: DIFFERS"
    fi
  done
}
export -f conform
if [ "$(left)" -gt 3 ]; then
  timeout -k 1 "$(left)" xargs -P 10 -I{} bash -c 'conform {} '"$out" <conformance.list >"$out/conformance" 2>&1
  sort "$out/conformance"
  echo "conformance: $(grep -c ': equal' "$out/conformance") of $((2 * $(wc -l <conformance.list))) runs equal, after $(passed_ms) ms"
fi
# What there is time for: steps that the gate keeps on one GPU, over both; what the gate measures.
extra() {
  [ "$(left)" -gt 3 ] || return
  run_case "$1" "$2" "$3" 8 "$4" MESI_DEVICES=2 "${@:5}"
  row "$1" "$2" "$4" " $4"
}
extra jacobi-16384 0 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 rims=0 MESI_RIMS=0
extra jacobi-4096 0 devices-KIND=0-N=4096-FIRST=400-REPEAT=400 always MESI_SPREAD=always
extra jacobi-4096 2 devices-KIND=0-N=4096-FIRST=400-REPEAT=400 always MESI_SPREAD=always
extra one-to-one-2^26 0 devices-KIND=3-N=67108864-FIRST=5000-REPEAT=500 stats MESI_STATS="$out/gate.stats"
grep -hE '^(link|gate|spread|peer_)' "$out/gate.stats" 2>/dev/null
extra jacobi-16384 2 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 always MESI_SPREAD=always
echo "done after $(passed_ms) ms"
