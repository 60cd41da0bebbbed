#!/usr/bin/env bash
# run.sh SECONDS [DIR] - builds the libFuzzer target, runs it, and puts what it finds before mesicc itself.
#
# DIR (default: build-fuzz/work) keeps corpus/ between runs and gets found/: inputs that end the target. Crashes, time-outs and memory
# do not stop the run. Last lines: triage.py's, which runs each input as a user would and says whose fault it is.
set -eu
[ $# -ge 1 ] || { sed -n 2p "$0"; exit 1; }
cd "$(dirname "$0")/../.."
seconds=$1 build=$PWD/build-fuzz
work=${2:-$build/work}
[ -f "$build/build.ninja" ] || CC=clang-22 CXX=clang++-22 meson setup "$build" . -Dfuzzer=true -Db_sanitize=address,undefined \
  -Db_lundef=false -Dc_args=-fsanitize=fuzzer-no-link >/dev/null
ninja -C "$build" testsuite/fuzz_input/fuzz_input translator/driver/mesicc >"$build/build.log" || { tail -n 30 "$build/build.log"; exit 1; }
mkdir -p "$work/corpus" "$work/found" "$work/cache" "$work/seeds"
python3 testsuite/fuzz_input/seeds.py "$work/seeds"
export MESI_CACHE=$work/cache
export ASAN_OPTIONS=detect_leaks=0:handle_abort=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
nice "$build/testsuite/fuzz_input/fuzz_input" -fork="${FUZZ_JOBS:-1}" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
  -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=8192 -artifact_prefix="$work/found/" \
  -dict=testsuite/fuzz_input/tokens.dict "$work/corpus" "$work/seeds" >"$work/log" 2>&1 || true
grep -aE '^#[0-9]+: cov' "$work/log" | tail -n 1
python3 testsuite/fuzz_input/triage.py --build "$build" "$work"/found
# SPDX-License-Identifier: MIT
