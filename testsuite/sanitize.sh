#!/usr/bin/env bash
# sanitize.sh BUILD - the translator and the runtime under AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer.
#
# Builds of BUILD-sanitize with clang 22 what is needed, with places of reports but little else to debug, and runs the unit tests of one
# of both, each day of the other, an eighth of the golden cases, every 32nd conformance program and every 30th case of the bad input, each
# day others; MESI_EVERY=N: every Nth of these three, and all unit tests. What the sanitized mesicc translates is built with the runtime of BUILD: the host's
# compiler links it, and knows nothing of sanitizers. For that mesicc is copied to a folder beside a link to that runtime.
# Any report is a failure and is printed. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/.." || exit 1
plain=$(realpath -m "$1")
build=$plain-sanitize
CC=clang-22 CXX=clang++-22 bash testsuite/build.sh "$build" -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 \
  -Ddebug=false "-Dc_args=-gline-tables-only" "-Dcpp_args=-gline-tables-only" -- translator/driver/mesicc || exit 1
mesicc=$build/beside/translator/driver/mesicc
mkdir -p "$(dirname "$mesicc")" && ln -sfn "$(realpath "$plain/runtime")" "$build/beside/runtime" && cp -f "$build/translator/driver/mesicc" "$mesicc" || exit 1
reports=$build/reports
rm -rf "$reports"
mkdir -p "$reports" "$build/cache"
export MESI_CACHE=$build/cache
passed=0 failed=0

add() {
  local line
  line=$(tail -n 1 "$1")
  if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    [ "${BASH_REMATCH[2]}" = 0 ] || head -n 60 "$1"
  else
    failed=$((failed + 1))
    tail -n 30 "$1"
  fi
  echo "$2: $line"
}

unit() {
  local suites=(analysis translator transform prove)
  (($(date +%s) / 86400 % 2)) && suites=(runtime cpu)
  [ -z "${MESI_EVERY:-}" ] || suites=(analysis translator transform prove runtime cpu)
  meson test -C "$build" "${suites[@]/#/--suite=}" --print-errorlogs --timeout-multiplier 4 >"$build/unit.log" 2>&1
  grep -A 25 -E '^(=+ [0-9]+/[0-9]+|>>>)' "$build/unit.log" | head -n 60
  awk '/^Ok:/ { ok = $2 } /^(Fail|Timeout):/ { fail += $2 } END { print ok + 0 " passed, " fail + 0 " failed" }' "$build/unit.log"
}

unit >"$build/part.log" 2>&1
add "$build/part.log" "unit tests"
log=exitcode=86:log_path=$reports/report
export ASAN_OPTIONS=$log:detect_leaks=1 UBSAN_OPTIONS=$log:halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS=suppressions=$PWD/testsuite/tools/leaks.supp:print_suppressions=0
python3 testsuite/tools/golden.py --mesicc "$mesicc" --every "${MESI_EVERY:-8}" >"$build/part.log" 2>&1
add "$build/part.log" "golden files"
python3 testsuite/tools/programs.py --mesicc "$mesicc" --build "$plain" --levels 1 --schedules default --nvcc off \
  --every "${MESI_EVERY:-32}" testsuite/conformance/*.mcu >"$build/part.log" 2>&1
add "$build/part.log" "conformance programs"
python3 testsuite/tools/hostile.py --mesicc "$mesicc" --sanitized "$reports/hostile" --every "${MESI_EVERY:-30}" --seconds 90 >"$build/part.log" 2>&1
add "$build/part.log" "bad input"
for report in "$reports"/report.*; do
  [ -f "$report" ] || continue
  head -n 25 "$report"
  failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
# SPDX-License-Identifier: MIT
