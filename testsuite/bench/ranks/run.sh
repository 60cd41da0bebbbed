#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [SECONDS] - programs on two GPUs of one host, a rank each (mpirun -np 2), beside one GPU: results bit for bit, output once, times.
# Takes at most SECONDS (240); each program has a limit of its own. What there is no time for is named. Programs that are not in bin/
# are left out. In programs.list, a program that several ranks refuse has the words of the refusal.
set -u
cd "$(dirname "$0")" || exit 1
limit=${1:-240}
begin=$(date +%s%N)
passed_ms() { echo $((($(date +%s%N) - begin) / 1000000)); }
left() { echo $((limit - $(passed_ms) / 1000)); }
out=${OUT:-out}/ranks
mkdir -p "$out"
out=$(cd "$out" && pwd)
export out
unset MESI_DEVICES MESI_SPREAD MESI_STATS MESI_TRACE MESI_DUMP MESI_RANKS CUDA_VISIBLE_DEVICES
nvidia-smi --query-gpu=index,name,memory.total --format=csv,noheader
nvidia-smi topo -m 2>/dev/null | head -n 4
# ---- the machine's NCCL and MPI ----
nccl=$(ldconfig -p 2>/dev/null | sed -n 's/.*libnccl\.so\.2.*=> //p' | head -n 1)
[ -n "$nccl" ] || nccl=$(find /usr/local /usr/lib /opt -name 'libnccl.so.2*' -print -quit 2>/dev/null)
before() { LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} && export LD_LIBRARY_PATH; }
[ -z "$nccl" ] || before "$(dirname "$nccl")"
echo "NCCL: ${nccl:-none} $(strings "$nccl" 2>/dev/null | sed -n 's/^NCCL version //p' | head -n 1)"
echo "MPI: $(command -v mpirun) $(mpirun --version 2>&1 | head -n 1); $(ldconfig -p 2>/dev/null | sed -n 's/.*libmpi\.so.*=> //p' | tr '\n' ' ')"
mpi=$(dirname "$(dirname "$(readlink -f "$(command -v mpirun)")")")
for folder in "$mpi/lib" "$mpi/lib64"; do
  [ ! -e "$folder/libmpi.so.40" ] || before "$folder"
done
launcher="mpirun --allow-run-as-root --oversubscribe --bind-to none"
export launcher
# What was built where this was written; where that does not run, it is built here.
[ -d bin ] || tar xJf bin.tar.xz
if ! timeout 30 bin/devices_chain_O2 >"$out/probe" 2>&1; then
  echo "bin/ does not run ($(head -n 1 "$out/probe")): building here"
  (cd bundle && MESI_ARCH=sm_90 timeout 90 ./run.sh -b -j 32 >"$out/build.log" 2>&1)
  cp bundle/build/*_O[02] bin/
fi
echo "ready after $(passed_ms) ms"
# ---- does it start at all? ----
first() {
  local status
  env MESI_RANKS="$1" NCCL_DEBUG=WARN timeout -k 1 40 $launcher -np 2 bin/devices_chain_O2 >"$out/first.$1" 2>&1
  status=$?
  echo "first run, MESI_RANKS=$1: status $status, after $(passed_ms) ms: $(grep -v '^$' "$out/first.$1" | tail -n 4 | tr '\n' '|' | cut -c1-400)"
  return $status
}
first host
if first nccl; then way=nccl; else way=host; fi
[ $way = nccl ] || NCCL_DEBUG=INFO MESI_RANKS=nccl timeout -k 1 20 $launcher -np 2 bin/devices_chain_O2 2>&1 | tail -n 25 | cut -c1-200
# ---- programs: what one GPU gives, bit for bit, and output once ----
conform() {
  local name=$1 stem=$out/$1 ways=$2 w refusal
  refusal=$(sed -n "s/^${name%_O?} //p" programs.list)
  MESI_DUMP=$stem.dump1 timeout -k 1 20 "bin/$name" >"$stem.out1" 2>&1 || { echo "$name: fails on one GPU: $(tail -n 1 "$stem.out1" | cut -c1-120)"; return; }
  for w in $ways; do
    rm -f "$stem.dump2"
    MESI_RANKS=${w%%,*} MESI_SPREAD=${w##*,} MESI_DUMP=$stem.dump2 MESI_STATS=$stem.stats.$w timeout -k 1 30 $launcher -np 2 "bin/$name" >"$stem.out2" 2>&1
    local status=$?
    if [ -n "$refusal" ]; then
      grep -qF -- "$refusal" "$stem.out2" && [ $status -ne 0 ] && echo "$name $w: refused, says so" || echo "$name $w: NOT REFUSED, status $status"
    elif [ $status -ne 0 ]; then
      echo "$name $w: STATUS $status: $(grep -m 1 'mesi:' "$stem.out2" | cut -c1-200)"
    elif ! cmp -s "$stem.out1" "$stem.out2"; then
      echo "$name $w: OUTPUT DIFFERS: $(diff "$stem.out1" "$stem.out2" | head -n 2 | tail -n 1 | cut -c1-150)"
    elif cmp -s "$stem.dump1" "$stem.dump2"; then
      echo "$name $w: equal, $(sed -n 's/^spread //p' "$stem.stats.$w") launches over both, $(sed -n 's/^peer_count //p' "$stem.stats.$w") copies between"
    else
      echo "$name $w: RESULTS DIFFER"
    fi
  done
  rm -f "$stem".dump[12]
}
export -f conform
levels() { for level in 0 2; do sed "s/ .*//; s/\$/_O$level/" "$1"; done; }
run_all() { # title, ways, seconds, names on stdin
  local most
  most=$(left)
  [ "$most" -lt "$3" ] || most=$3
  timeout -k 1 "$((most > 2 ? most : 2))" xargs -P 3 -I{} bash -c '[ ! -e bin/{} ] || conform {} "'"$2"'"' >"$out/$1" 2>&1
  sort "$out/$1"
  echo "$1: $(grep -c ': equal' "$out/$1") equal, $(grep -c ': refused, says so' "$out/$1") refused, of $(wc -l <"$out/$1") runs, after $(passed_ms) ms"
}
run_all samples "$way,always" 50 < <(printf '%s\n' {matmul,nbody,jacobi}_O{0,2})
run_all conformance "$way,always $way,turns" 90 < <(levels programs.list)
# ---- times ----
cases="\
matmul-16384 2 devices-KIND=1-N=16384-FIRST=3-REPEAT=5 30
matmul-8192 0 devices-KIND=1-N=8192-FIRST=3-REPEAT=5 20
bodies-262144 2 devices-KIND=2-N=262144-FIRST=5-REPEAT=4 20
bodies-262144 0 devices-KIND=2-N=262144-FIRST=5-REPEAT=4 20
jacobi-16384 0 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 25
jacobi-16384 2 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 25
jacobi-4096 0 devices-KIND=0-N=4096-FIRST=400-REPEAT=400 15
one-to-one-2^26 0 devices-KIND=3-N=67108864-FIRST=500-REPEAT=500 20"
cases=$(while read -r name level file seconds; do [ ! -e "bin/${file}_O$level" ] || echo "$name $level $file $seconds"; done <<<"$cases")
ms_of() { sed -n 's/ ms a launch.*//p' "$1" 2>/dev/null | tail -n 1; }
sum_of() { sed -n 's/.*, sum //p' "$1" 2>/dev/null | tail -n 1; }
# case NAME LEVEL FILE SECONDS NUMBER COMMAND...: its output in $out/NAME_OLEVEL.NUMBER
run_case() {
  local name=$1 level=$2 file=$3 seconds=$4 number=$5 most
  shift 5
  most=$(left)
  [ "$most" -gt 2 ] || { echo "no time" >"$out/${name}_O$level.$number"; return; }
  [ "$seconds" -lt "$most" ] || seconds=$most
  timeout -k 1 "$seconds" "$@" "bin/${file}_O$level" </dev/null >"$out/${name}_O$level.$number" 2>&1 || echo "exit status $?" >>"$out/${name}_O$level.$number"
}
# One GPU: every other case on each of the two, at the same time.
on_one() {
  local i=0
  while read -r name level file seconds; do
    [ $((i++ % 2)) -ne "$1" ] || CUDA_VISIBLE_DEVICES=$1 run_case "$name" "$level" "$file" "$seconds" 1
  done <<<"$cases"
}
on_one 0 &
other=$!
on_one 1
wait $other
echo "one GPU: after $(passed_ms) ms"
printf '%-18s %5s %6s %10s %10s %10s %6s  %s\n' program level way one two efficiency lines equal
most_of() { cat "$1".0 "$1".1 2>/dev/null | sort -g | tail -n 1; }
row() { # name level way
  local one=$out/${1}_O$2.1 two=$out/${1}_O$2.$3 equal=no
  [ -n "$(sum_of "$one")" ] && [ "$(sum_of "$one")" = "$(sum_of "$two")" ] && equal=yes
  [ -n "$(sum_of "$two")" ] || equal="no result: $(grep -m 1 -E 'mesi:|exit status' "$two" | cut -c1-140)"
  awk -v n="$1" -v l="-O$2" -v w="$3" -v a="$(ms_of "$one")" -v b="$(most_of "$out/${1}_O$2.time.$3")" -v c="$(grep -c 'ms a launch' "$two")" -v e="$equal" 'BEGIN {
    printf "%-18s %5s %6s %10s %10s %10s %6s  %s\n", n, l, w, (a == "" ? "-" : a), (b == "" ? "-" : b), (a > 0 && b > 0 ? sprintf("%.3f", a / 2 / b) : "-"), c, e }'
}
on_two() { # name level file seconds way label [NAME=VALUE...]
  local label=$6
  run_case "$1" "$2" "$3" "$4" "$label" env MESI_RANKS="$5" MESI_SPREAD=always DEVICES_TIME="$out/${1}_O$2.time.$label" "${@:7}" $launcher -np 2
  row "$1" "$2" "$label"
}
while read -r name level file seconds; do
  on_two "$name" "$level" "$file" "$seconds" "$way" "$way"
done <<<"$cases"
echo "two GPUs: after $(passed_ms) ms"
# ---- what fails ----
fault() { # what, expected text, limit in s, command...
  local what=$1 wanted=$2 seconds=$3 start status
  [ -e "${*: -1}" ] || return
  shift 3
  [ "$(left)" -gt 3 ] || { echo "$what: no time"; return; }
  start=$(date +%s%N)
  timeout -k 1 "$seconds" "$@" </dev/null >"$out/fault" 2>&1
  status=$?
  printf '%s: status %s after %s ms, %s: %s\n' "$what" "$status" "$((($(date +%s%N) - start) / 1000000))" \
    "$(grep -q -- "$wanted" "$out/fault" && echo "says so" || echo "DOES NOT SAY '$wanted'")" \
    "$(grep -m 1 -E "$wanted|mesi:" "$out/fault" | cut -c1-160)"
}
fault "a rank is killed" "on signal 9" 30 env MESI_RANKS=$way $launcher -np 2 bin/killed_O2
fault "a value differs" "has done something else" 30 env MESI_RANKS=$way $launcher -np 2 bin/differs_value_O2
fault "a rank stops" "has not answered" 30 env MESI_RANKS=$way MESI_WAIT_LIMIT=3 $launcher -np 2 bin/stopped_O2
fault "three ranks, two GPUs" "the host has" 30 env MESI_RANKS=$way $launcher -np 3 bin/devices_chain_O2
fault "both on one GPU, nccl" "mesi: error" 40 env MESI_RANKS=nccl MESI_DEVICES=0, $launcher -np 2 bin/devices_chain_O2
fault "both on one GPU" "note: bytes between" 40 env MESI_RANKS=mpi MESI_DEVICES=0, $launcher -np 2 bin/devices_chain_O2
# ---- what there is time for ----
extra() { [ "$(left)" -le 5 ] || [ ! -e "bin/${3}_O$2" ] || on_two "$@"; }
extra jacobi-16384 0 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 25 "$way" rims=0 MESI_RIMS=0
extra jacobi-16384 0 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 25 "$way" gate MESI_SPREAD=auto
extra jacobi-16384 0 devices-KIND=0-N=16384-FIRST=400-REPEAT=200 25 host host
extra matmul-8192 0 devices-KIND=1-N=8192-FIRST=3-REPEAT=5 20 host host
extra jacobi-4096 0 devices-KIND=0-N=4096-FIRST=400-REPEAT=400 15 "$way" never MESI_SPREAD=never
if [ "$(left)" -gt 15 ]; then run_all through-hosts host,always 30 < <(printf '%s\n' devices_chain_O0 devices_forms_O2 devices_whole_O0 stage_corners_O2); fi
echo "done after $(passed_ms) ms"
