#!/usr/bin/env bash
# bundle.sh - in a bundle (testsuite/bundle.sh DIR figures) as figures.sh, on the machine with the GPU: builds and
# runs what samples/figures/figures.py --from DIR takes.
#   ./figures.sh [BUCKETS] [SECONDS FOR A PROGRAM]
# Leaves results.json and build/figures/SAMPLE_OLEVEL.txt.
set -u
cd "$(dirname "$0")" || exit 1
count=${1:-700} each=${2:-60}
nvcc=${NVCC:-nvcc}
# Networks in files are not read here: without zlib a header that opens nothing does.
if ! echo '#include <zlib.h>' | gcc -E - >/dev/null 2>&1; then
  cat >include/zlib.h <<'END'
#pragma once
typedef void *gzFile;
enum { Z_OK, Z_STREAM_END, Z_ERRNO = -1, Z_DATA_ERROR = -3, Z_BUF_ERROR = -5 };
static inline gzFile gzopen(const char *path, const char *mode) { return path && mode ? 0 : 0; }
static inline int gzread(gzFile file, void *to, unsigned size) { return file && to && size ? -1 : -1; }
static inline int gzclose(gzFile file) { return file != 0; }
static inline int gzdirect(gzFile file) { return file != 0; }
static inline const char *gzerror(gzFile file, int *ret) { return *ret = file != 0, "no zlib"; }
END
  for folder in src src/*.parts; do cp include/zlib.h "$folder/"; done
  rm -f src/*.libs
fi
./run.sh -b
mkdir -p build/figures
objects=$(ls build/mpf.*.c.o)
# shellcheck disable=SC2086
"$nvcc" -O3 -std=c++17 -arch="${MESI_ARCH:-native}" -w -include src/mpf.macros.h -I src/mpf.parts -I include peers/mpf_hand.cu $objects $(cat src/mpf.libs 2>/dev/null) -o build/mpf_hand_O0 &
./run.sh -r -t 30 '[mde]*-*'
wait
# keep PROGRAM WORDS...: what it prints, in build/figures
keep() {
  local name=$1
  shift
  timeout "$((each * 2))" "build/$name" "$@" >"build/figures/$name.txt" 2>&1 || echo "$name: status $?"
}
for table in 'gridding small' 'blob random' 'cutcp large' 'nbody random'; do
  # shellcheck disable=SC2086
  set -- $table
  keep "$1_O2" table --set "$2" --repeats 3
done
keep blas2_O3 bench
keep junction_O2 bench
buckets=(bench --seed 1 --linear --random "$count" --seconds "$each")
for name in mpf_O0 mpf_O1 mpf_hand_O0; do keep "$name" "${buckets[@]}" --no-cpu; done
keep mpf_O2 "${buckets[@]}"
