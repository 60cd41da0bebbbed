#!/usr/bin/env bash
# run.sh - measures the candidate plans of every case of this folder. Needs nvcc and a GPU only.
#   ./run.sh [-j JOBS] [-t SECONDS] [-n RUNS] [-b | -r] [PATTERN]   PATTERN: only cases whose name matches (bash glob)
# -b: build only; -r: run what was built.
# Each round is a program; it has to compute what NAME_ref (-O0) computes. Writes results/NAME.txt, which `mesicc tune --read` takes:
# the GPU, and for each round its number, `ok` and the times of each launch site in each run, or what is wrong.
# RESULTS=DIR: elsewhere than in results. MESI_ARCH: for nvcc, default native.
set -u
cd "$(dirname "$0")" || exit 1
jobs=$(nproc) limit=120 runs=3 only=
while getopts j:t:n:br option; do
  case $option in j) jobs=$OPTARG ;; t) limit=$OPTARG ;; n) runs=$OPTARG ;; b) only=build ;; r) only=run ;; *) exit 1 ;; esac
done
shift $((OPTIND - 1))
pattern=${1:-*}
arch=${MESI_ARCH:-native} nvcc=${NVCC:-nvcc} results=${RESULTS:-results}
mkdir -p build "$results"
. tool/testsuite/tools/bundle_build.sh
programs() { echo "$1_ref"; for ((r = 0; r < $2; r++)); do echo "$1_r$r"; done; }
build_all() {
  build_runtime || exit 1
  build_parts
  selected | while read -r name rounds; do programs "$name" "$rounds" | sed "s|^|$name |"; done |
    xargs -P "$jobs" -L1 sh -c '"$0" -O3 -std=c++17 --extended-lambda -arch="'"$arch"'" -w -include "src/$1.macros.h" -I "src/$1.parts" -I runtime -I include \
      "src/$2.cu" $(ls build/"$1".*.c.o build/"$1".*.cpp.o 2>/dev/null) build/libmesi.a -o "build/$2" >"build/$2.log" 2>&1 ||
      echo "$2: does not compile (build/$2.log)"' "$nvcc"
}
[ "$only" = run ] || build_all
[ "$only" != build ] || exit 0

# run NAME PROGRAM RUN: sets problem, empty where the program ended well; its statistics, contents and output stay in build.
run() {
  local args=() status stem=build/$2.$3
  problem=
  [ ! -e "src/$1.run" ] || mapfile -t args <"src/$1.run"
  rm -f "$stem.dump" "$stem.stats" "$stem.out"
  [ -x "build/$2" ] || { problem='does not compile'; return; }
  MESI_DUMP="$stem.dump" MESI_STATS="$stem.stats" timeout "$limit" "build/$2" "${args[@]}" >"$stem.out" 2>"$stem.err"
  status=$?
  [ $status -eq 0 ] || problem="exit status $status"
}

# As mesicc compare: contents of virtual shared memory, or standard output where there is none.
differs() {
  local difference
  if [ -e "build/$1.dump" ] && [ "$(od -An -tu4 -j12 -N4 "build/$1.dump" | tr -d ' ')" != 0 ]; then
    difference=$(build/compare_dumps close "build/$1.dump" "build/$2.dump" 2>&1) || echo "${difference:-contents differ}"
  else
    cmp -s "build/$1.out" "build/$2.out" || echo "the standard output differs"
  fi
}

passed=0 failed=0
measure() {
  local name=$1 rounds=$2 r k problem difference site
  run "$name" "${name}_ref" 0
  if [ -n "$problem" ]; then echo "$name at -O0: $problem"; failed=$((failed + 1)); return; fi
  {
    echo "gpu $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)"
    for ((r = 0; r < rounds; r++)); do
      echo "round $r"
      site=
      for ((k = 1; k <= runs; k++)); do
        run "$name" "${name}_r$r" "$k"
        difference=${problem:-$(differs "${name}_ref.0" "${name}_r$r.$k")}
        [ -z "$difference" ] || break
        site="$site$(grep '^site ' "build/${name}_r$r.$k.stats")"$'\n'"run"$'\n'
        rm -f "build/${name}_r$r.$k.dump"
      done
      if [ -n "$difference" ]; then echo "differs: $difference" | tr '\n' ' '; echo; else echo ok; printf '%s' "$site"; fi
    done
  } >"$results/$name.txt"
  passed=$((passed + $(grep -c '^ok$' "$results/$name.txt"))) failed=$((failed + $(grep -c '^differs' "$results/$name.txt")))
  grep -B1 '^differs' "$results/$name.txt" | sed "s|^|$name: |"
}
while read -r name rounds; do measure "$name" "$rounds"; done < <(selected)
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
# SPDX-License-Identifier: MIT
