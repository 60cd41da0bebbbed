#!/usr/bin/env bash
# bench.sh - in a bundle, on the machine with the GPU, after ./run.sh mpf: the random buckets with what mesicc makes at each
# level, with the cache written by hand, and with torch; then ratios by bucket.
#   ./mpf_bench.sh [BUCKETS] [SECONDS FOR TORCH]
# Leaves build/bench_NAME.txt and build/buckets.list.
set -u
cd "$(dirname "$0")" || exit 1
count=${1:-700} seconds=${2:-120}
nvcc=${NVCC:-nvcc}
[ -x build/mpf_O0 ] || ./run.sh mpf
objects=$(ls build/mpf.*.c.o)
# shellcheck disable=SC2086
"$nvcc" -O3 -std=c++17 -arch="${MESI_ARCH:-native}" -w -include src/mpf.macros.h -I src/mpf.parts -I include peers/mpf_hand.cu $objects \
  -o build/mpf_hand || exit 1
build/mpf_hand check || exit 1
programs=hand
for program in build/mpf_O*; do case $program in *.*) ;; *) programs="$programs ${program#build/mpf_}" ;; esac; done
for program in $programs; do
  cpu=--no-cpu list=
  [ "$program" != O2 ] || { cpu='' list='--list build/buckets.list'; }
  echo "== $program"
  # shellcheck disable=SC2086
  build/mpf_"$program" bench --random "$count" $cpu $list >"build/bench_$program.txt"
  grep -v '^ *[0-9]' "build/bench_$program.txt"
done
# Kernel milliseconds are column 8 with the bucket first; the second half of a file is the log domain.
for program in $programs; do
  [ "$program" != O2 ] || continue
  awk -v name="$program" '
    /domain on/ { domain = $1 }
    $1 ~ /^[0-9]+$/ && NF == 13 {
      if (FNR == NR) time[domain, $1] = $8
      else if ((domain, $1) in time) { r = $8 / time[domain, $1]; sum[domain] += log(r); n[domain]++; if (r < least[domain] || n[domain] == 1) least[domain] = r }
    }
    END { for (d in n) printf "%s over O2, %s: geometric mean %.3f, least %.3f of %d buckets\n", name, d, exp(sum[d] / n[d]), least[d], n[d] }
  ' build/bench_O2.txt "build/bench_$program.txt"
done
if python3 -c 'import torch' 2>/dev/null; then
  python3 peers/einsum.py build/buckets.list --seconds "$seconds" >build/bench_torch.txt
  grep -v '^ *[0-9]' build/bench_torch.txt
else
  echo 'torch is not installed'
fi
