#!/usr/bin/env bash
# run.sh - builds, checks and times every case of this folder. Needs nvcc and a GPU only.
#   ./run.sh [-j JOBS] [-t SECONDS] [-s] [PATTERN]   PATTERN: only cases whose name matches (bash glob)
# -s: afterwards run every program under compute-sanitizer's memcheck, racecheck and synccheck, JOBS at a time.
# src/NAME.parts holds the C and C++ files of a program, src/NAME.run its arguments, one a line.
# A case with expected/NAME.dump and NAME.out has to give exactly these results; src/NAME.args are options for nvcc.
# Table: case, level, median time of the slowest kernel, sum of kernels, transfers, whole run, what the program itself
# timed (its line "time_ms X"), ratio of the kernels to the first level's. Behind a case, its hand-written peers: whole run
# and own time, with the ratio of that own time to the last level's.
set -u
cd "$(dirname "$0")" || exit 1
jobs=$(nproc) limit=120 sanitize=0
while getopts j:t:s option; do
  case $option in j) jobs=$OPTARG ;; t) limit=$OPTARG ;; s) sanitize=1 ;; *) exit 1 ;; esac
done
shift $((OPTIND - 1))
pattern=${1:-*}
arch=${MESI_ARCH:-native}
mkdir -p build
nvcc=${NVCC:-nvcc}
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v "$nvcc")")")")
for source in runtime/*.c; do
  case $source in runtime/device_cpu.c) continue ;; esac
  echo "$source"
done | xargs -P "$jobs" -I{} sh -c 'gcc -O2 -D_GNU_SOURCE -std=gnu11 -I runtime -isystem "'"$cuda"'/include" -c {} -o build/$(basename {} .c).o' || exit 1
rm -f build/libmesi.a
ar rcs build/libmesi.a $(for s in runtime/*.c; do [ "$s" = runtime/device_cpu.c ] || echo build/$(basename "$s" .c).o; done)
gcc -O2 -std=gnu11 -D_GNU_SOURCE -I tool tool/translator/base/{arena,file,text}.c tool/translator/driver/dumps.c \
  tool/testsuite/tools/compare_dumps.c -lm -o build/compare_dumps || exit 1

selected() { while read -r name levels; do case $name in $pattern) echo "$name $levels" ;; esac; done <cases; }
selected | while read -r name levels; do # the host compiler sees what nvcc hands it, so parts are compiled here
  for part in src/"$name".parts/*.c src/"$name".parts/*.cpp; do [ ! -e "$part" ] || echo "$name" "$part"; done
done | xargs -r -P "$jobs" -L1 sh -c 'case $1 in *.c) cc="gcc -std=gnu11" ;; *) cc="g++ -std=c++17" ;; esac
  $cc -O2 -w -pthread -include "src/$0.macros.h" -I "src/$0.parts" -isystem runtime -c "$1" \
    -o "build/$0.$(basename "$1").o" >"build/$0.parts.log" 2>&1 || echo "$1: does not compile (build/$0.parts.log)"'
selected | while read -r name levels; do for level in $levels; do echo "$name" "$level"; done; done |
  xargs -P "$jobs" -L1 sh -c 'args=$(cat "src/$1.args" 2>/dev/null); "$0" $args -O3 -std=c++17 --extended-lambda -arch="'"$arch"'" -w -include "src/$1.macros.h" -I "src/$1.parts" -I runtime -I include "src/$1_O$2.cu" \
    $(ls build/"$1".*.c.o build/"$1".*.cpp.o 2>/dev/null) build/libmesi.a -o "build/$1_O$2" >"build/$1_O$2.log" 2>&1 || echo "$1 O$2: does not compile (build/$1_O$2.log)"' "$nvcc"

touch peers.list
while read -r case source; do
  case $case in $pattern) echo "$source $case"_"$(basename "$source" .cu)" ;; esac
done <peers.list | xargs -r -P "$jobs" -L1 sh -c '"$0" -O3 -std=c++17 -arch="'"$arch"'" -w "$1" -o "build/peer_$2" >"build/peer_$2.log" 2>&1 ||
  echo "$1: does not compile"' "$nvcc"

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
export CUDA_MODULE_LOADING=EAGER
printf '%-44s %5s %12s %12s %12s %10s %10s %8s  %s\n' case level 'kernel ms' 'kernels ms' 'transfers ms' 'run ms' 'own ms' ratio result
while read -r name levels; do
  first= base=
  for level in $levels; do
    stem=build/${name}_O$level
    rm -f "$stem.dump" "$stem.stats"
    args=()
    [ ! -e "src/$name.run" ] || mapfile -t args <"src/$name.run"
    result=ok
    start=$(date +%s%N)
    if [ ! -x "$stem" ]; then
      result='not built'
    else
      MESI_DUMP=$stem.dump MESI_STATS=$stem.stats timeout "$limit" "$stem" "${args[@]}" >"$stem.out" 2>&1
      status=$?
      [ $status -eq 0 ] || result="exit status $status: $(tail -n 1 "$stem.out" | cut -c1-80)"
    fi
    wall=$((($(date +%s%N) - start) / 1000000))
    kernels=$(awk '$1 == "kernel_ms" { print $2 }' "$stem.stats" 2>/dev/null)
    transfers=$(awk '$1 == "transfer_ms" { print $2 }' "$stem.stats" 2>/dev/null)
    median=$(awk '$1 == "kernel" && $5 > m { m = $5 } END { print m + 0 }' "$stem.stats" 2>/dev/null)
    if [ "$result" = ok ] && [ -e "expected/$name.dump" ]; then
      difference=$(build/compare_dumps exact "expected/$name.dump" "$stem.dump") || result="differs from the CPU backend: $difference"
      cmp -s "expected/$name.out" "$stem.out" || result="${result#ok}${result:+ }differs from the CPU backend: its output"
    fi
    if [ -z "$first" ]; then
      first=$stem base=$median
    elif [ "$result" = ok ]; then
      difference=$(build/compare_dumps close "$first.dump" "$stem.dump") || result="differs: $difference"
    fi
    ratio=$(awk -v a="${base:-0}" -v b="${median:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }')
    own=
    if grep -q '^time_ms ' "$stem.out" 2>/dev/null; then # again, with nothing else timed
      timeout "$limit" "$stem" "${args[@]}" >"$stem.own" 2>&1
      own=$(own_time "$stem.own")
    fi
    printf '%-44s %5s %12.4f %12.3f %12.3f %10d %10.3f %8s  %s\n' "$name" "-O$level" "${median:-0}" "${kernels:-0}" "${transfers:-0}" "$wall" "${own:-0}" "$ratio" "$result"
    more_times "$stem.own"
    if [ "$result" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done
  run_peers "$name" "${own:-0}"
done < <(selected)

# sanitized STEM TOOL: prints what the tool found, where it found something. Bad calls of the CUDA API are not its business
# here: some programs make them on purpose.
sanitized() {
  [ -x "$1" ] || return 0
  local options=
  [ "$2" = memcheck ] && options='--report-api-errors no'
  timeout 300 compute-sanitizer --tool "$2" $options --error-exitcode 99 "$1" >"$1.$2" 2>&1
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
