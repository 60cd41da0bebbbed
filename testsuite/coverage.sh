#!/usr/bin/env bash
# coverage.sh - line and branch coverage of analysis/ and codegen/ by the tests that translate.
# usage: testsuite/coverage.sh [--report | --uncovered NAME...]   of the last run: the table; the branches not taken in files by NAME
#
# An instrumented translator (clang's source-based coverage) in build-coverage runs the unit tests of the translator, the golden
# cases (each dump among them), and every program of the suite in the ways of tools/translate_all.py, and
# some of them with allocations and questions to isl that fail (tools/faults.py); a few random programs of ./check fuzz too; tuned plans
# and reports (tools/tune.py, tools/explain.py); the check of emitted code (tools/emitted.py). Asserts are compiled out
# (-DNDEBUG): what is impossible is an assert, and the branch in which it fails is none that a test could take.
# Counters live in a file mapped by all processes (-fprofile-continuous), so those of the sandboxed child count however it ends. A unit
# test has a file of its own (%p): the linker gives different programs one signature (%m), and only one of them would be counted.
# Last line: branch coverage: analysis N%, codegen N%, together N%. Exit status 1 where one of them is below 91%.
set -eu
cd "$(dirname "$0")/.."
least=91
llvm=/usr/lib/llvm-22/bin
build=$PWD/build-coverage
profiles=$build/profiles
bash testsuite/install.sh --tests llvm-22
programs=(testsuite/conformance/*.mcu testsuite/conformance/multi/*/*.mcu testsuite/cuda/*.cu testsuite/check/*.mcu
  samples/*/*.mcu testsuite/golden/*.mcu testsuite/hostile/*.mcu)
faulted=(testsuite/golden/{stage_matmul,stage_flat_symbolic,stage_write_guard,launch_ranges}.mcu)
emitted=(testsuite/cuda/*.cu testsuite/bench/*/*.mcu samples/*/*.mcu samples/bench/*/*.mcu
  testsuite/conformance/{chunk,instance,jam,opt,private,reduce,split,steps}_*.mcu)
cut_short=(testsuite/golden/{steps_line,steps_plane,steps_turns,map_matmul,map_stream,map_guarded,map_patches,plan_pages,plan_tables,plan_even,private_counters,map_exchange,share_rows,launch_parts,map_versions,promote,stage_flat_symbolic}.mcu)

collect() {
  local instrument='-fprofile-instr-generate -fcoverage-mapping -fprofile-continuous'
  export LLVM_PROFILE_FILE="$profiles/%m%c.profraw" MESI_CACHE="$build/cache" MESI_TIME_LIMIT=60
  CC=clang-22 CXX=clang++-22 bash testsuite/build.sh "$build" --buildtype=plain -Db_ndebug=true -Dwerror=false \
    "-Dc_args=-O1 $instrument" "-Dc_link_args=$instrument" -Dcpp_args=-O1
  rm -rf "$profiles"
  mkdir -p "$MESI_CACHE"
  local mesicc=$build/translator/driver/mesicc
  LLVM_PROFILE_FILE="$profiles/%p-%m%c.profraw" meson test -C "$build" --suite translator --suite analysis --suite transform \
    >"$build/unit.log" 2>&1 || { tail -n 40 "$build/unit.log"; return 1; }
  echo "golden files: $(python3 testsuite/tools/golden.py --mesicc "$mesicc" | tail -n 1)"
  mkdir -p "$build/random"
  for seed in {0..11} 28 29 36 48 50 60 62; do python3 testsuite/fuzz/run.py --print $seed >"$build/random/$seed.mcu"; done
  for profile in general tables march walking planes segments matrices pitched; do
    python3 testsuite/fuzz/run.py --profile $profile --print 70 >"$build/random/$profile.mcu"
  done
  for seed in {1..8}; do
    python3 testsuite/fuzz/outputs.py --mesicc "$mesicc" --build "$build" --print $seed >"$build/random/outputs$seed.mcu"
    python3 testsuite/fuzz/steps.py --mesicc "$mesicc" --build "$build" --print $seed >"$build/random/steps$seed.mcu"
    python3 testsuite/fuzz/steps.py --mesicc "$mesicc" --build "$build" --lines --print $seed >"$build/random/lines$seed.mcu"
  done
  echo "programs in every way: $(python3 testsuite/tools/translate_all.py --mesicc "$mesicc" "${programs[@]}" "$build"/random/*.mcu | tee "$build/translate.log" | tail -n 1)"
  echo "emitted code: $(python3 testsuite/tools/emitted.py --mesicc "$mesicc" "${emitted[@]}" "$build"/random/[a-z]*.mcu | tail -n 1)"
  echo "failing allocations and questions to isl: $(python3 testsuite/tools/faults.py --build "$build" --kinds memory,isl --samples 24 "${faulted[@]}" | tail -n 1)"
  echo "questions to isl cut short: $(python3 testsuite/tools/faults.py --build "$build" --kinds question --samples 48 "${cut_short[@]}" | tail -n 1)"
  for tool in tune explain; do echo "$tool: $(python3 testsuite/tools/$tool.py --mesicc "$mesicc" | tail -n 1)"; done
  $llvm/llvm-profdata merge -o "$build/all.profdata" "$profiles"/*.profraw
}

binaries() {
  echo "$build/translator/driver/mesicc"
  local path
  for path in "$build"/testsuite/unit/{analysis,codegen,host,plan,transform}_*; do
    if [ -f "$path" ] && [ -x "$path" ]; then echo "-object $path"; fi
  done
}

case ${1:-} in
  --report) ;;
  --uncovered)
    shift
    # shellcheck disable=SC2046
    $llvm/llvm-cov export $(binaries) -instr-profile "$build/all.profdata" |
      python3 testsuite/tools/coverage_gaps.py "$PWD" "$@"
    exit ;;
  *) collect ;;
esac
# shellcheck disable=SC2046
$llvm/llvm-cov export $(binaries) -instr-profile "$build/all.profdata" -summary-only |
  python3 testsuite/tools/coverage_table.py "$PWD" $least analysis codegen
# SPDX-License-Identifier: MIT
