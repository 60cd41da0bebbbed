#!/usr/bin/env bash
# small_bench.sh - times the cases of this folder under Nsight Compute and prints each level's kernel time over that of -O0.
#   ./small_bench.sh [-t SECONDS] [PATTERN]   after ./run.sh -b; PATTERN: only cases whose name matches (bash glob)
# For kernels of a few microseconds, which events around launches cannot tell apart. A time is the sum of gpu__time_duration over the
# launches of a run; of launches of one kernel with one grid each counts as their median. Clocks and caches are left as they are.
# Each program runs ROUNDS times (3), levels in turn; the least sum counts.
set -u
cd "$(dirname "$0")" || exit 1
limit=30 rounds=${ROUNDS:-3}
while getopts t: option; do case $option in t) limit=$OPTARG ;; *) exit 1 ;; esac; done
shift $((OPTIND - 1))
pattern=${1:-*}
. tool/testsuite/tools/bundle_build.sh

# measured STEM: microseconds of all kernels of the program; nothing where it fails.
measured() {
  local args=() case
  case=$(basename "$1")
  [ ! -e "src/${case%_O*}.run" ] || mapfile -t args <"src/${case%_O*}.run"
  timeout "$limit" ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --print-units base --csv "$1" "${args[@]}" 2>"$1.ncu.err" |
    python3 -c '
import csv, statistics, sys
lines = [line for line in sys.stdin if line.startswith("\"")]
times = {}
for row in csv.DictReader(lines):
    if row["Metric Name"] == "gpu__time_duration.sum":
        times.setdefault((row["Kernel Name"], row["Grid Size"], row["Block Size"]), []).append(float(row["Metric Value"].replace(",", "")))
if times:
    print("%.3f" % (sum(statistics.median(t) * len(t) for t in times.values()) / 1000))
'
}

printf '%-52s %10s %6s\n' case '-O0 us' level
selected | while read -r name levels; do
  declare -A least=()
  for round in $(seq "$rounds"); do
    for level in $levels; do
      time=$(measured "build/${name}_O$level")
      least[$level]=$(printf '%s\n' ${least[$level]:-} $time | sort -g | head -n 1)
    done
  done
  first=${levels%% *}
  for level in ${levels#* }; do
    awk -v name="$name" -v level="$level" -v a="${least[$first]:-0}" -v b="${least[$level]:-0}" \
      'BEGIN { printf "%-52s %10.3f    -O%s %10.3f %8s\n", name, a, level, b, (a > 0 && b > 0 ? sprintf("%.3f", a / b) : "-") }'
  done
done
# SPDX-License-Identifier: MIT
