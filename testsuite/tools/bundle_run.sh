#!/usr/bin/env bash
# run.sh - builds, checks and times every case of this folder. Needs nvcc and a GPU only.
#   ./run.sh [-j JOBS] [-t SECONDS] [-s] [-b | -r] [PATTERN]   PATTERN: only cases whose name matches (bash glob)
# -b: build only; -r: run what was built (several bundles on one machine: build all, then time each with nothing beside it).
# -s: afterwards run every program under compute-sanitizer's memcheck, racecheck and synccheck, JOBS at a time.
# src/NAME.parts holds the C and C++ files of a program, src/NAME.run its arguments, one a line.
# A case with expected/NAME.dump and NAME.out has to give exactly these results; src/NAME.args are options for nvcc, src/NAME.libs go to the
# end of the link.
# Table: case, level, median time of the slowest kernel, sum of kernels, transfers, whole run, what the program itself
# timed (its line "time_ms X"), ratio of the kernels to the first level's. Behind a case, its hand-written peers: whole run
# and own time, with the ratio of that own time to the last level's.
# Benchmarks (cases of bench.list: case, bytes, flops, repeats) have a table of their own: kernel time of one repeat at each level, gain
# of the best level over the first, the fastest peer's time (its line "kernel_ms X"), its ratio to the best level (1 and more: as
# fast as the peer), percent of the roofline (MESI_BYTES_PER_S and MESI_FLOPS, of an H200 where they are not given); then geometric means.
# results.json has the same numbers, for `mesicc plot results.json`.
# Level F is built with -use_fast_math, for benchmarks whose peers' arithmetic is approximate: a column of its own, with the ratio of the peer to it,
# which the other ratios and the first two means leave out.
set -u
cd "$(dirname "$0")" || exit 1
jobs=$(nproc) limit=120 sanitize=0 only=
while getopts j:t:sbr option; do
  case $option in j) jobs=$OPTARG ;; t) limit=$OPTARG ;; s) sanitize=1 ;; b) only=build ;; r) only=run ;; *) exit 1 ;; esac
done
shift $((OPTIND - 1))
pattern=${1:-*}
arch=${MESI_ARCH:-native}
mkdir -p build
nvcc=${NVCC:-nvcc}
. tool/testsuite/tools/bundle_build.sh
# Programs, then peers: those are built with the macros of their case and the link options of PEER.args.
build_all() {
  build_runtime || exit 1
  build_parts
  selected | while read -r name levels; do for level in $levels; do echo "$name" "$level"; done; done |
    xargs -P "$jobs" -L1 sh -c 'args=$(cat "src/$1.args" 2>/dev/null); case $2 in F) args="$args -use_fast_math" ;; esac; "$0" $args -O3 -std=c++17 --extended-lambda -arch="'"$arch"'" -w -include "src/$1.macros.h" -I "src/$1.parts" -I runtime -I include "src/$1_O$2.cu" \
      $(ls build/"$1".*.c.o build/"$1".*.cpp.o 2>/dev/null) build/libmesi.a $(cat "src/$1.libs" 2>/dev/null) -o "build/$1_O$2" >"build/$1_O$2.log" 2>&1 || echo "$1 O$2: does not compile (build/$1_O$2.log)"' "$nvcc"
  touch peers.list bench.list
  while read -r case source; do
    case $case in $pattern) echo "$source $case" "$case"_"$(basename "$source" .cu)" ;; esac
  done <peers.list | xargs -r -P "$jobs" -L1 sh -c 'args=$(cat "${1%.cu}.args" 2>/dev/null); "$0" -O3 -std=c++17 -arch="'"$arch"'" -w -include "src/$2.macros.h" "$1" $args \
    -o "build/peer_$3" >"build/peer_$3.log" 2>&1 || echo "$1: does not compile for $2 (build/peer_$3.log)"' "$nvcc"
}
[ "$only" = run ] || build_all
[ "$only" != build ] || exit 0

passed=0 failed=0
own_time() { awk '$1 == "time_ms" { print $2 }' "$1" 2>/dev/null; }
more_times() { grep -h '^time_[a-z]*_us ' "$1" 2>/dev/null | sed 's/^/    /'; }
# run_peers CASE OWN: OWN is the own time of the case's last level
run_peers() {
  while read -r case source; do
    [ "$case" = "$1" ] || continue
    local peer result=ok start wall own
    peer=$(basename "$source" .cu)
    start=$(date +%s%N)
    timeout "$limit" "build/peer_${case}_$peer" >"build/peer_${case}_$peer.out" 2>&1 || result="failed"
    wall=$((($(date +%s%N) - start) / 1000000))
    own=$(own_time "build/peer_${case}_$peer.out")
    printf '%-44s %5s %12s %12s %12s %10d %10.3f %8s  %s\n' "$case: $peer" - - - - "$wall" "${own:-0}" \
      "$(awk -v a="${own:-0}" -v b="${2:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }')" "$result"
    more_times "build/peer_${case}_$peer.out"
  done <peers.list
}
# run_level NAME LEVEL DUMP: runs the program, with its final contents in DUMP (none: empty); sets args, result and wall.
run_level() {
  local stem=build/${1}_O$2 start status
  args=()
  [ ! -e "src/$1.run" ] || mapfile -t args <"src/$1.run"
  rm -f "$stem.dump" "$stem.stats"
  result=ok
  start=$(date +%s%N)
  if [ ! -x "$stem" ]; then
    result='not built'
  else
    env ${3:+"MESI_DUMP=$3"} MESI_STATS="$stem.stats" timeout "$limit" "$stem" "${args[@]}" >"$stem.out" 2>&1
    status=$?
    [ $status -eq 0 ] || result="exit status $status: $(tail -n 1 "$stem.out" | cut -c1-80)"
  fi
  wall=$((($(date +%s%N) - start) / 1000000))
  if [ "$result" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# ---- benchmarks
# The fastest peer of CASE: "name ms"; nothing where none ran. Those that fail are named on stderr.
fastest_peer() {
  while read -r case source; do
    [ "$case" = "$1" ] || continue
    local peer stem ms
    peer=$(basename "$source" .cu)
    stem=build/peer_${case}_$peer
    if timeout "$limit" "$stem" >"$stem.out" 2>&1 && ms=$(awk '$1 == "kernel_ms" { print $2 }' "$stem.out") && [ -n "$ms" ]; then
      echo "$peer $ms"
    else
      echo "FAILED peer $peer of $case: $(tail -n 1 "$stem.out" | cut -c1-80)" >&2
    fi
  done <peers.list | sort -g -k2 | head -n 1
}

run_bench() {
  local name=$1 level ms record= times= best= first= fast= problems= peer peer_ms bytes flops repeats
  shift
  read -r bytes flops repeats < <(awk -v n="$name" '$1 == n { print $2, $3, $4 }' bench.list)
  for level in $columns; do
    case " $* " in *" $level "*) ;; *) times="$times $(printf '%10s' -)"; continue ;; esac
    run_level "$name" "$level" ''
    ms=$(awk -v r="$repeats" '$1 == "stepped" { all = $2 > 0 } $1 == "kernel" { s += all ? $4 : $3 * $5 } END { if (s > 0) printf "%.5f", s / r }' "build/${name}_O$level.stats" 2>/dev/null)
    [ "$result" = ok ] || problems="$problems -O$level: $result;" ms=
    [ -n "$first" ] || first=${ms:-0}
    times="$times $(printf '%10s' "${ms:--}")"
    [ -z "$ms" ] || record="$record, \"O$level\": $ms"
    if [ "$level" = F ]; then
      fast=$ms
      continue
    fi
    best=$(printf '%s\n' $best $ms | sort -g | head -n 1)
  done
  read -r peer peer_ms < <(fastest_peer "$name")
  [ -z "$record" ] || echo "{\"case\": \"$name\", \"bytes\": $bytes, \"flops\": $flops$record, \"peer\": ${peer_ms:-0}}" >>build/results.benches
  awk -v name="$name" -v times="$times" -v best="${best:-0}" -v first="${first:-0}" -v peer="${peer:--}" -v peer_ms="${peer_ms:-0}" -v bytes="$bytes" -v fast="${fast:-0}" \
      -v flops="$flops" -v bandwidth="${MESI_BYTES_PER_S:-4.8e12}" -v peak="${MESI_FLOPS:-60e12}" -v problems="${problems:-ok}" '
    function ratio(a, b) { return a > 0 && b > 0 ? sprintf("%.2f", a / b) : "-" }
    BEGIN {
      least = bytes / bandwidth > flops / peak ? bytes / bandwidth : flops / peak
      printf "%-52s%s %8s  %-10s %10s %8s %8s %7s  %s\n", name, times, ratio(first, best), peer, peer_ms, ratio(peer_ms, best), ratio(peer_ms, fast), \
        (best > 0 ? sprintf("%.1f%%", least * 1e5 / best) : "-"), problems
      print name, ratio(first, best), ratio(peer_ms, best), ratio(peer_ms, fast) >>"build/bench.ratios"
    }'
}

bench_means() {
  awk '{ if ($2 > 0) { g += log($2); n++ } if ($3 > 0) { p += log($3); m++; f += log($4 > 0 ? $4 : $3); fast += $4 > 0 } }
    END { if (n) printf "best level over the first, geometric mean of %d: %.2f\n", n, exp(g / n)
          if (m) printf "fastest peer'"'"'s time over the best level'"'"'s, geometric mean of %d: %.2f\n", m, exp(p / m)
          if (fast) printf "the same with the %d of -use_fast_math in their places, whose peers'"'"' arithmetic is approximate, too: %.2f\n", fast, exp(f / m) }' build/bench.ratios
}

# ---- everything else
run_case() {
  local name=$1 level first= base= own= stem kernels transfers median difference ratio
  shift
  for level in "$@"; do
    stem=build/${name}_O$level
    run_level "$name" "$level" "$stem.dump"
    kernels=$(awk '$1 == "kernel_ms" { print $2 }' "$stem.stats" 2>/dev/null)
    transfers=$(awk '$1 == "transfer_ms" { print $2 }' "$stem.stats" 2>/dev/null)
    median=$(awk '$1 == "kernel" && $5 > m { m = $5 } END { print m + 0 }' "$stem.stats" 2>/dev/null)
    local ran=$result
    if [ "$result" = ok ] && [ -e "expected/$name.dump" ]; then
      difference=$(build/compare_dumps exact "expected/$name.dump" "$stem.dump") || result="differs from the CPU backend: $difference"
      cmp -s "expected/$name.out" "$stem.out" || result="${result#ok}${result:+ }differs from the CPU backend: its output"
    fi
    if [ -z "$first" ]; then
      first=$stem base=$median
    elif [ "$result" = ok ]; then
      difference=$(build/compare_dumps close "$first.dump" "$stem.dump") || result="differs: $difference"
    fi
    if [ "$ran" = ok ] && [ "$result" != ok ]; then passed=$((passed - 1)) failed=$((failed + 1)); fi
    ratio=$(awk -v a="${base:-0}" -v b="${median:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }')
    own=
    if grep -q '^time_ms ' "$stem.out" 2>/dev/null; then # again, with nothing else timed
      timeout "$limit" "$stem" "${args[@]}" >"$stem.own" 2>&1
      own=$(own_time "$stem.own")
    fi
    printf '%-44s %5s %12.4f %12.3f %12.3f %10d %10.3f %8s  %s\n' "$name" "-O$level" "${median:-0}" "${kernels:-0}" "${transfers:-0}" "$wall" "${own:-0}" "$ratio" "$result"
    more_times "$stem.own"
    [ "$result" != ok ] || echo "{\"case\": \"$name\", \"level\": \"-O$level\", \"kernels_ms\": ${kernels:-0}, \"transfers_ms\": ${transfers:-0}, \"run_ms\": $wall}" >>build/results.cases
  done
  run_peers "$name" "${own:-0}"
}

# results.json: the rows that were kept, with the device.
write_results() {
  printf '{\n  "mesi_bundle": 1, "gpu": "%s", "bytes_per_s": %s, "flops": %s,\n  "cases": [\n%s\n  ],\n  "benchmarks": [\n%s\n  ]\n}\n' \
    "$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '"\\')" "${MESI_BYTES_PER_S:-4.8e12}" "${MESI_FLOPS:-60e12}" \
    "$(sed '$!s/$/,/' build/results.cases)" "$(sed '$!s/$/,/' build/results.benches)" >results.json
}
: >build/results.cases
: >build/results.benches
export CUDA_MODULE_LOADING=EAGER
is_bench() { awk -v n="$1" '$1 == n { found = 1 } END { exit !found }' bench.list; }
benches=() others=()
while read -r name levels; do if is_bench "$name"; then benches+=("$name $levels"); else others+=("$name $levels"); fi; done < <(selected)
if [ ${#others[@]} -gt 0 ]; then
  printf '%-44s %5s %12s %12s %12s %10s %10s %8s  %s\n' case level 'kernel ms' 'kernels ms' 'transfers ms' 'run ms' 'own ms' ratio result
  for line in "${others[@]}"; do run_case $line; done
fi
if [ ${#benches[@]} -gt 0 ]; then
  : >build/bench.ratios
  columns=$(for line in "${benches[@]}"; do echo "${line#* }"; done | awk 'NF > n { n = NF; line = $0 } END { print line }')
  printf '%-52s%s %8s  %-10s %10s %8s %8s %7s  %s\n' benchmark "$(for level in $columns; do printf ' %10s' "-O$level ms"; done | sed 's/   -OT/ tuned/; s/   -OF/  fast/')" gain peer 'peer ms' 'of peer' 'by fast' roof result
  for line in "${benches[@]}"; do run_bench $line; done
  bench_means
fi

write_results

# sanitized STEM TOOL: prints what the tool found, where it found something. Bad calls of the CUDA API are not its business
# here: some programs make them on purpose.
sanitized() {
  [ -x "$1" ] || return 0
  local options= case args=()
  case=$(basename "$1")
  [ "$2" = memcheck ] && options='--report-api-errors no'
  [ ! -e "src/${case%_O*}.run" ] || mapfile -t args <"src/${case%_O*}.run"
  timeout 300 compute-sanitizer --tool "$2" $options --error-exitcode 99 "$1" "${args[@]}" >"$1.$2" 2>&1
  if grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$1.$2"; then return 0; fi
  echo "$2 of $(basename "$1"): $(grep -m1 '=========.*\(Error\|Invalid\|hazard\|Barrier\|SUMMARY\)' "$1.$2" | cut -c1-100)"
}
if [ $sanitize = 1 ]; then
  export -f sanitized
  found=$(selected | while read -r name levels; do for level in $levels; do for tool in memcheck racecheck synccheck; do
    echo "build/${name}_O$level $tool"; done; done; done | xargs -r -P "$jobs" -L1 bash -c 'sanitized "$0" "$1"')
  [ -z "$found" ] || echo "$found"
  checked=$(ls build/*.memcheck 2>/dev/null | wc -l) faults=$(printf '%s' "$found" | grep -c .)
  echo "compute-sanitizer: $checked programs under 3 tools, $faults reports"
  failed=$((failed + faults))
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
# SPDX-License-Identifier: MIT
