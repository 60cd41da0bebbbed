#!/usr/bin/env bash
# bundle.sh - in a bundle (testsuite/bundle.sh DIR figures) as figures.sh, on the machine with the GPU: builds and
# runs what samples/figures/figures.py --from DIR takes.
#   ./figures.sh [BUCKETS] [SECONDS FOR A PROGRAM]
# Leaves results.json and build/figures/SAMPLE_OLEVEL.txt.
set -u
cd "$(dirname "$0")" || exit 1
count=${1:-700} each=${2:-60}
nvcc=${NVCC:-nvcc}
# Without zlib a header that reads plain files does: those of the folder networks are.
if ! echo '#include <zlib.h>' | gcc -E - >/dev/null 2>&1; then
  cat >include/zlib.h <<'END'
#pragma once
#include <stdio.h>
typedef FILE *gzFile;
enum { Z_OK, Z_STREAM_END, Z_ERRNO = -1, Z_DATA_ERROR = -3, Z_BUF_ERROR = -5 };
static inline gzFile gzopen(const char *path, const char *mode) { return fopen(path, mode); }
static inline int gzread(gzFile file, void *to, unsigned size) { return (int)fread(to, 1, size, file); }
static inline int gzclose(gzFile file) { return fclose(file); }
static inline int gzdirect(gzFile file) { return file != NULL; }
static inline const char *gzerror(gzFile file, int *ret) { return *ret = ferror(file) ? Z_ERRNO : Z_OK, "no zlib"; }
END
  for folder in src src/*.parts; do cp include/zlib.h "$folder/"; done
  rm -f src/*.libs
fi
./run.sh -b
mkdir -p build/figures
objects=$(ls build/mpf.*.c.o)
# peer NAME FILE WORDS...: mpf with another device's side
peer() {
  local name=$1 file=$2
  shift 2
  # shellcheck disable=SC2046,SC2086
  "$nvcc" -O3 -std=c++17 -arch="${MESI_ARCH:-native}" -w "$@" -include src/mpf.macros.h -I src/mpf.parts -I include -I peers "peers/$file" $objects \
    $(cat src/mpf.libs 2>/dev/null) -o "build/${name}_O0" &
}
peer mpf_hand mpf_hand.cu
peer mpf_texture mpf_texture.cu
peer mpf_read_only mpf_texture.cu -DREAD_ONLY
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
# also PROGRAM NAME WORDS...: the same under another name, added to what is there
also() {
  local program=$1 to=build/figures/$2_${1##*_}.txt
  shift 2
  timeout "$((each * 2))" "build/$program" "$@" >>"$to" 2>&1 || echo "$program $*: status $?"
}
rm -f build/figures/{blas2_*,mpf_networks,mpf_sweep_hand,junction_figures,misaligned,gridding_image,*_forms_*,*_depths_*}_O*.txt
sizes() {
  also blas2_O3 blas2_step bench --step 333 --largest 12000
  for shape in tall wide; do also blas2_O3 blas2_$shape bench --step 333 --largest 12000 --shape $shape; done
}
forms() {
  for set in 'gridding small' 'blob random' 'blob large' 'blob small' 'cutcp large' 'cutcp small' 'nbody random'; do
    # shellcheck disable=SC2086
    set -- $set
    for level in 0 2; do also "$1_O$level" "$1_forms_$2" forms --set "$2" --repeats 3; done
  done
}
hand() {
  also junction_O2 junction_figures figures
  also mpf_hand_O0 mpf_sweep_hand sweep --linear
}
depths() {
  for set in 'gridding small' 'cutcp small' 'blob random' 'nbody random'; do
    # shellcheck disable=SC2086
    set -- $set
    also "$1_O2" "$1_depths_$2" figures --set "$2" --repeats 3 --planes 64
  done
  also misaligned_O0 misaligned
  also gridding_O2 gridding_image run --set small --depth 400000 --image build/figures/scan.pgm
}
reductions() {
  also blas2-REAL=double_O3 blas2_double bench
  for name in bidiagonal hessenberg tridiagonal; do
    also blas2_O3 "blas2_$name" "$name" bench
    also blas2-REAL=double_O3 "blas2_double_$name" "$name" bench
  done
}
steps() {
  MESI_TRACE=$PWD/build/figures/trace_gridding.json timeout "$each" build/gridding_O2 run --set large --depth 400000
}
networks() {
  for file in networks/linkage_*.uai networks/[A-Z]*.uai networks/*.bif; do
    case $file in *'*'* | */linkage_11.uai | */CSP_11.uai) continue ;; esac
    also mpf_O2 mpf_networks bench "$file" --tries 60 --threshold 100K --repeats 3
  done
}
large_networks() {
  [ -f networks/linkage_11.uai ] || return 0
  also mpf_O2 mpf_networks bench networks/linkage_11.uai --log --tries 300 --threshold 100K --repeats 3
  also mpf_O2 mpf_networks bench networks/CSP_11.uai --tries 60 --threshold 100K --repeats 3
}
sizes
forms
steps
hand
depths
reductions
networks
large_networks
keep junction_O2 bench
# Random buckets, two programs of each kind at once: they prepare buckets while the kernel of one of them is timed.
# buckets PROGRAM FILE WORDS...
buckets() {
  local program=$1 to=build/figures/$2 share
  shift 2
  for share in 0 1; do
    timeout "$((each * 2))" "build/$program" bench --seed 1 --random "$count" --seconds "$each" --no-cpu --turns build/turn \
      --share $share/2 "$@" >"$to.$share" 2>&1 || echo "$to: status $?" &
  done
}
for domain in linear log; do
  [ $domain = log ] && ending=_log || ending=
  for level in 0 1 2; do buckets mpf_O$level mpf${ending}_O$level.txt --$domain; done
  buckets mpf_hand_O0 mpf_hand${ending}_O0.txt --$domain
done
for name in mpf_texture_O0 mpf_read_only_O0; do buckets $name $name.txt --linear; done
wait
for file in build/figures/*.txt.0; do
  cat "$file" "${file%0}1" >"${file%.0}"
  rm -f "$file" "${file%0}1"
done
