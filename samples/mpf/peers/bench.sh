#!/usr/bin/env bash
# bench.sh - in a bundle, on the machine with the GPU, after ./run.sh mpf: the random buckets with what mesicc makes at each
# level, with the cache written by hand and with that kernel without its cache, and with torch; then ratios by bucket.
#   ./mpf_bench.sh [BUCKETS] [SECONDS FOR TORCH] [SECONDS FOR A PROGRAM AND DOMAIN]
# LEVELS: which of mesicc's programs, "O0 O2" for example; without it all. Leaves build/bench_NAME.txt, build/buckets.list, build/buckets.txt (a
# line a bucket with all kernel times), build/torch.txt, figures 5 and 6 as build/figure_*.svg.
set -u
cd "$(dirname "$0")" || exit 1
count=${1:-700} seconds=${2:-120} each=${3:-100000}
nvcc=${NVCC:-nvcc}
[ -x build/mpf_O0 ] || ./run.sh mpf
objects=$(ls build/mpf.*.c.o)
# shellcheck disable=SC2086
"$nvcc" -O3 -std=c++17 -arch="${MESI_ARCH:-native}" -w -include src/mpf.macros.h -I src/mpf.parts -I include peers/mpf_hand.cu $objects \
  -o build/mpf_hand || exit 1
build/mpf_hand check || exit 1
programs='hand hand_no_cache'
for program in build/mpf_O*; do
  name=${program#build/mpf_}
  case $program in *.*) ;; *) case " ${LEVELS:-$name} " in *" $name "*) programs="$programs $name" ;; esac ;; esac
done
# bench NAME: all of them with it; the CPU versions and the plots beside -O2.
bench() {
  local name=$1
  case $name in
    O2) build/mpf_O2 bench --random "$count" --seconds "$each" --list build/buckets.list --plot build/figure ;;
    hand_no_cache) build/mpf_hand bench --random "$count" --seconds "$each" --no-cpu --cache 0 ;;
    *) build/mpf_"$name" bench --random "$count" --seconds "$each" --no-cpu ;;
  esac
}
for program in $programs; do
  echo "== $program"
  bench "$program" >"build/bench_$program.txt"
  grep -v '^ *[0-9]' "build/bench_$program.txt"
done
# Kernel milliseconds are column 8 with the bucket first; "linear domain on" and "log domain on" begin the halves of a file.
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
# shellcheck disable=SC2046
awk -v names="$programs" '
  BEGIN { printf "domain bucket functions outputs summands FLOP"; n = split(names, name); for (i = 1; i <= n; i++) printf " %s", name[i]; print " scalar cores" }
  FNR == 1 { at++ }
  /domain on/ { domain = $1 }
  $1 ~ /^[0-9]+$/ && NF == 13 {
    key = domain " " $1
    if (!(key in shape)) order[++keys] = key
    shape[key] = $2 " " $3 " " $4 " " $5
    time[key, at] = $8
    if (name[at] == "O2") cpu[key] = $6 " " $7
  }
  END { for (k = 1; k <= keys; k++) { printf "%s %s", order[k], shape[order[k]]; for (i = 1; i <= n; i++) printf " %s", (order[k], i) in time ? time[order[k], i] : "-"; print "", cpu[order[k]] } }
' $(for program in $programs; do echo "build/bench_$program.txt"; done) >build/buckets.txt
if python3 -c 'import torch' 2>/dev/null; then
  python3 peers/einsum.py build/buckets.list --seconds "$seconds" >build/torch.txt
  grep -v '^ *[0-9]' build/torch.txt
else
  echo 'torch is not installed: its einsum was not measured'
fi
