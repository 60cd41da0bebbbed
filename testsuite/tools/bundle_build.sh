# SPDX-License-Identifier: MIT
# bundle_build.sh - what the run.sh of folders for other machines have in common; read by them with jobs, nvcc and pattern set.

# build/libmesi.a and build/compare_dumps.
build_runtime() {
  local cuda source
  cuda=$(dirname "$(dirname "$(readlink -f "$(command -v "$nvcc")")")")
  for source in runtime/*/*.c; do case $source in *_cpu.c) ;; *) echo "$source" ;; esac; done |
    xargs -P "$jobs" -I{} sh -c 'gcc -O2 -D_GNU_SOURCE -std=gnu11 -I runtime -isystem "'"$cuda"'/include" -c {} -o build/$(basename {} .c).o' || return 1
  rm -f build/libmesi.a
  ar rcs build/libmesi.a $(for source in runtime/*/*.c; do case $source in *_cpu.c) ;; *) echo build/$(basename "$source" .c).o ;; esac; done)
  gcc -O2 -std=gnu11 -D_GNU_SOURCE -I tool tool/translator/base/{arena,file,text}.c tool/translator/driver/dumps.c \
    tool/testsuite/tools/compare_dumps.c -lm -o build/compare_dumps
}

# The lines of `cases` whose name matches: the name, and what follows it.
selected() {
  local name rest
  while read -r name rest; do case $name in $pattern) echo "$name $rest" ;; esac; done <cases
}

# The C and C++ files of the selected programs: the host compiler sees what nvcc hands it, so they are compiled here.
build_parts() {
  local name part
  selected | while read -r name _; do
    for part in src/"$name".parts/*.c src/"$name".parts/*.cpp; do [ ! -e "$part" ] || echo "$name" "$part"; done
  done | xargs -r -P "$jobs" -L1 sh -c 'case $1 in *.c) cc="gcc -std=gnu11" ;; *) cc="g++ -std=c++17" ;; esac
    $cc -O2 -w -pthread -include "src/$0.macros.h" -I "src/$0.parts" -isystem runtime -c "$1" \
      -o "build/$0.$(basename "$1").o" >"build/$0.parts.log" 2>&1 || echo "$1: does not compile (build/$0.parts.log)"'
}
