#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# other_llvm.sh BUILD - builds mesicc with each LLVM from 16 on that is there beside the newest, in BUILD/llvm-N, and runs golden files
# and messages with it. Last line: N passed, N failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "$1")
export MESI_CACHE=${MESI_CACHE:-$build/cache}
passed=0 failed=0

count() { # LINE: N passed, N failed
  if [[ $1 =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  else
    echo "no counts: $1"
    failed=$((failed + 1))
  fi
}

# Objects whose commands name the LLVM, and the libraries that they belong to, are made in $own; the other libraries are those of BUILD.
other_mesicc() {
  local commands objects libraries word link=()
  commands=$(ninja -C "$own" -t commands translator/driver/mesicc)
  objects=$(grep -F -- "$prefix/" <<<"$commands" | sed -n 's/.* -o \([^ ]*\.o\) -c .*/\1/p')
  libraries=$(sed -n 's:^\([^ ]*\.a\)\.p/.*:\1:p' <<<"$objects" | sort -u)
  # shellcheck disable=SC2086
  ninja -C "$own" $objects $libraries >"$own/build.log" 2>&1 || { grep -E 'error|FAILED' -A 3 "$own/build.log" | head -60; return 1; }
  for word in $(tail -n 1 <<<"$commands"); do
    if [[ $word == [a-z]*.a ]] && ! grep -qx "$word" <<<"$libraries"; then word=$build/$word; fi
    link+=("$word")
  done
  (cd "$own" && "${link[@]}")
}

while read -r prefix; do
  [ -n "$prefix" ] || continue
  own=$build/$(basename "$prefix")
  mesicc=$own/translator/driver/mesicc
  if ! bash "$root/testsuite/build.sh" "$own" -Dtests=disabled -Dllvm-prefix="$prefix" -- translator/driver/commit.h || ! other_mesicc; then
    count "0 passed, 1 failed"
    continue
  fi
  "$mesicc" --version | sed -n 's/^libclang: //p'
  for tool in golden messages; do
    every=()
    [ "$tool" != golden ] || every=(--every 2)
    said=$(python3 "$root/testsuite/tools/$tool.py" --mesicc "$mesicc" "${every[@]}")
    echo "$said" | head -n 40
    count "$(echo "$said" | tail -n 1)"
  done
done < <(sh "$root/packaging/find_llvm.sh" | grep -E 'llvm[-/]?(1[6-9]|2[0-9])$' | tail -n +2)
echo "$passed passed, $failed failed"
