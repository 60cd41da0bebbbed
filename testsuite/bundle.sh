#!/usr/bin/env bash
# bundle.sh DIR [samples] [figures] [transfers] [launches] [bench] [small] [mpf] [junction] [blas2] [bins] [conformance] [cuda] [fuzz] - writes the self-contained GPU bundle: the samples at
# the published sizes and block sizes, the transfer sample and the launch benchmark with their hand-written peers, samples/bench at
# sizes that fill a GPU with its peers (-O0 to -O3) and (small) at their small sizes for DIR/small_bench.sh, the MPF, junction and blas2 samples (their benchmarks are DIR/mpf_bench.sh, DIR/mpf_sweep.sh, DIR/junction_bench.sh and DIR/blas2_bench.sh), the samples over bins (DIR/binning_figures.sh), all conformance programs, all plain
# CUDA programs, 500 random kernels (FUZZ_KERNELS) with the CPU backend's results, at -O0, -O1 and -O2. DIR/run.sh builds, checks
# and times. The part `tune` goes into a folder of its own: the candidate plans of samples/bench (TUNE_LEVEL, CANDIDATES), which its run.sh
# measures for `mesicc tune --read DIR`. TUNED: a folder with the results, NAME.tune, for a column more. BENCH: only benchmarks whose name matches (bash glob: "@(gemv|transpose)").
set -eu
shopt -s extglob
root=$(cd "$(dirname "$0")/.." && pwd)
directory=$1
shift
parts=${*:-samples transfers launches bench small mpf junction blas2 bins conformance cuda fuzz}
mesicc=${MESICC:-$root/build/translator/driver/mesicc}
inference=(-lz -I "$root/samples/mpf" -I "$root/samples/junction")
rm -rf "$directory"
mkdir -p "$(dirname "$directory")"
add() { "$mesicc" bundle -o "$directory" "$@"; }
# A program of one file, as `mesicc run` takes it: no variable is guarded because other files might use it.
add_whole() { add --whole-program "$@"; }
# Programs written by hand to compare PATH/NAME.mcu with: PATH/peers/*.cu, which may include from PATH.
add_peers() {
  mkdir -p "$directory/peers/$1" "$directory/include"
  cp "$root/$2"/*.h "$directory/include/"
  cp "$root/$2"/*.h "$directory/peers/$1/"
  cp -r "$root/$2/peers" "$directory/peers/$1/"
  for peer in "$root/$2"/peers/*.cu; do echo "$1 peers/$1/peers/$(basename "$peer")" >>"$directory/peers.list"; done
}
# add_bench NAME MACRO=VALUE...: the benchmark at this size, its peers with their link options, its bytes, flops and repeats. Where the
# peers' arithmetic is approximate there is a build with -use_fast_math, too.
add_bench() {
  local name=$1 from=$root/samples/bench/$1 to=$directory/peers/$1 case peer numbers fast
  shift
  case $name in ${BENCH:-*}) ;; *) return 0 ;; esac
  case=$name$(printf -- '-%s' "$@")
  numbers=$(python3 "$root/testsuite/tools/roofline.py" "$from/$name.mcu" "$@")
  case $numbers in *approximate*) fast=-use_fast_math ;; *) fast= ;; esac
  add_whole -arch=sm_90 --levels=0,1,2,3 $fast ${TUNED:+--tuned="$TUNED/$name.tune"} "${@/#/-D}" "$from/$name.mcu"
  mkdir -p "$to" "$directory/include"
  cp "$root"/samples/bench/*.h "$directory/peers/"
  cp "$root/samples/bench/bench.h" "$directory/"
  cp "$from/$name.h" "$directory/include/"
  cp -r "$from/$name.h" "$from/peers" "$to/"
  for peer in "$from"/peers/*.cu; do echo "$case peers/$name/peers/$(basename "$peer")" >>"$directory/peers.list"; done
  echo "$case $numbers" >>"$directory/bench.list"
}
# tune_bench NAME MACRO=VALUE...: the candidate plans of the benchmark at this size, for DIR/run.sh and `mesicc tune --read DIR`.
tune_bench() {
  local name=$1
  shift
  case $name in ${BENCH:-*}) ;; *) return 0 ;; esac
  "$mesicc" tune --emit "$directory" "-O${TUNE_LEVEL:-3}" --candidates="${CANDIDATES:-10}" -arch=sm_90 "${@/#/-D}" "$root/samples/bench/$name/$name.mcu"
  cp "$root"/samples/bench/*.h "$directory/src/"
}
# bench_cases FUNCTION: calls it for each benchmark with its sizes.
bench_cases() {
  for n in 1024 2048 4096; do "$1" matmul M=$n N=$n K=$n REPEAT=$((n > 2048 ? 3 : 10)); done
  for n in 2048 2000; do "$1" matmul_runtime N=$n REPEAT=10; done
  "$1" matmul M=2000 N=3000 K=1000 REPEAT=10
  for elem in double int; do "$1" matmul M=2048 N=2048 K=2048 ELEM=$elem REPEAT=10; done
  "$1" gemm M=64 N=64 K=262144 REPEAT=10
  "$1" gemm M=256 N=256 K=16384 REPEAT=10
  "$1" gemm M=200 N=300 K=10001 REPEAT=10
  "$1" gemm M=128 N=128 K=16384 ELEM=double REPEAT=10
  for name in abt atb; do "$1" $name M=2048 N=2048 K=2048 REPEAT=10; done
  "$1" mm2 N=2048 REPEAT=10
  "$1" syrk N=2048 K=2048 REPEAT=10
  for n in 1024 4096 16384; do "$1" gemv M=$n N=$n REPEAT=10; done
  "$1" gemv M=1 N=10000000 REPEAT=10
  "$1" gemv M=16 N=4194304 REPEAT=10
  for name in atax bicg; do "$1" $name M=8192 N=8192 REPEAT=10; done
  for name in mvt gesummv; do "$1" $name N=8192 REPEAT=10; done
  "$1" softmax M=32768 N=256 REPEAT=10
  "$1" softmax M=8192 N=1024 REPEAT=10
  "$1" softmax M=2048 N=8192 REPEAT=10
  "$1" layernorm M=8192 N=768 REPEAT=10
  "$1" layernorm M=4096 N=4096 REPEAT=10
  "$1" rmsnorm M=8192 N=4096 REPEAT=10
  "$1" crossentropy M=8192 N=1024 REPEAT=10
  "$1" crossentropy M=1024 N=32000 REPEAT=10
  "$1" argmax M=8192 N=1000 REPEAT=10
  "$1" argmax M=1024 N=32000 REPEAT=10
  "$1" dropout N=67108864 REPEAT=10
  "$1" relu8 N=268435456 REPEAT=10
  "$1" residual16 N=134217728 REPEAT=10
  "$1" transpose M=8192 N=8192 REPEAT=10
  "$1" transpose M=6000 N=9000 REPEAT=10
  "$1" stencil1d N=67108864 REPEAT=10
  "$1" stencil2d M=12288 N=12288 REPEAT=10
  "$1" stencil3d N=512 REPEAT=10
  "$1" conv2d H=8192 W=8192 REPEAT=10
  "$1" conv3d N=512 REPEAT=5
  "$1" jacobi N=4096 STEPS=20 REPEAT=5
  "$1" nbody N=65536 REPEAT=5
  "$1" kmeans N=4194304 K=64 D=16 REPEAT=5
  "$1" histogram N=67108864 REPEAT=5
  "$1" pathfinder ROWS=101 COLS=1048576 REPEAT=30
  "$1" blackscholes N=33554432 REPEAT=10
}
for part in $parts; do
  case $part in
    samples)
      for bx in 32 64 128 256 512; do
        add_whole --levels=0,1 -DN=1024 -DBX=$bx -DREPEAT=15 "$root/samples/matmul/matmul.mcu"
        add_whole --levels=0,1 -DN=262144 -DBX=$bx -DSTEPS=1000 "$root/samples/dif/dif.mcu"
        add_whole --levels=0,1 -DN=524288 -DBX=$bx -DSTEPS=1000 "$root/samples/dif/dif.mcu"
        add_whole --levels=0,1 -DCLASS=B -DBX=$bx "$root/samples/ep/ep.mcu"
      done
      add_whole --levels=0,1 -DN=1024 -DBX=128 -DREPEAT=15 -DELEM=float "$root/samples/matmul/matmul.mcu" ;;
    figures) # what samples/figures/figures.py --from DIR takes
      for bx in 32 64 128 256 512; do
        add_whole --levels=0,1,2 -arch=sm_90 -DN=1024 -DBX=$bx -DREPEAT=15 "$root/samples/matmul/matmul.mcu"
        for n in 262144 524288; do add_whole --levels=0,1,2 -arch=sm_90 -DN=$n -DBX=$bx -DSTEPS=1000 "$root/samples/dif/dif.mcu"; done
        add_whole --levels=0,1,2 -arch=sm_90 -DCLASS=B -DBX=$bx "$root/samples/ep/ep.mcu"
      done
      add --levels=0,1,2 -arch=sm_90 "$root/samples/mpf"
      add --levels=2 -arch=sm_90 "$root/samples/junction"
      add --levels=3 -arch=sm_90 "$root/samples/blas2"
      add --levels=3 -arch=sm_90 -DREAL=double "$root/samples/blas2"
      add_whole --levels=0 -arch=sm_90 "$root/samples/binning/misaligned.mcu"
      for name in cutcp gridding blob nbody; do add --levels=0,2 -arch=sm_90 "$root/samples/$name"; done
      mkdir -p "$directory/peers" "$directory/networks"
      cp "$root"/samples/mpf/peers/mpf_{hand,texture}.cu "$directory/peers/"
      cp "$root"/samples/mpf/networks/* "$directory/networks/"
      data=$root/../shared/data
      if [ -d "$data" ]; then
        cp "$data"/uai/* "$directory/networks/"
        for file in "$data"/bif/*.bif.gz; do gunzip -c "$file" >"$directory/networks/$(basename "$file" .gz)"; done
      fi
      cp "$root/samples/figures/bundle.sh" "$directory/figures.sh" ;;
    transfers)
      add_whole --levels=0,2 "$root/samples/pipeline/pipeline.mcu"
      add_peers pipeline samples/pipeline
      add_whole --levels=2 "$root/testsuite/bench/parts/parts.mcu"
      add_peers parts testsuite/bench/parts
      add_whole --levels=0,2 -DNEIGHBOURS=0 -DWORK=1 "$root/testsuite/bench/parts/parts.mcu"
      add_peers parts-NEIGHBOURS=0-WORK=1 testsuite/bench/parts ;;
    launches)
      for bx in 256 512; do for steps in 1000 10000 100000; do add_whole --levels=0,2 -DN=262144 -DBX=$bx -DSTEPS=$steps "$root/samples/dif/dif.mcu"; done; done
      add_whole --levels=0 "$root/testsuite/bench/launches/launches.mcu"
      add_peers launches testsuite/bench/launches ;;
    bench) bench_cases add_bench ;;
    small)
      for source in "$root"/samples/bench/*/*.mcu; do add_whole -arch=sm_90 --levels=0,2,3 -DREPEAT=20 "$source"; done
      while read -r name macros; do
        add_whole -arch=sm_90 --levels=0,2,3 -DREPEAT=20 $(printf -- '-D%s ' $macros) "$root/samples/bench/$name/$name.mcu"
      done <<'END'
abt M=512 N=512 K=512
atb M=64 N=64 K=2048
matmul M=512 N=512 K=512
matmul M=64 N=64 K=4096
matmul_runtime N=512
syrk N=512 K=512
mm2 N=400
gemv M=64 N=8192
gemv M=4096 N=128
atax M=1500 N=1500
bicg M=1500 N=1500
mvt N=1500
gesummv N=1500
transpose M=1500 N=1500
stencil1d N=4000000
stencil2d M=2000 N=2000
stencil3d N=160
conv2d H=1000 W=1000
conv3d N=128
jacobi N=1024
nbody N=8000
kmeans N=200000 K=16 D=8
histogram N=4000000
pathfinder ROWS=101 COLS=100000
blackscholes N=1000000
END
      for bx in 32 64 128 256 512; do
        add_whole -arch=sm_90 --levels=0,2,3 -DN=512 -DBX=$bx -DREPEAT=20 "$root/samples/matmul/matmul.mcu"
        add_whole -arch=sm_90 --levels=0,2,3 -DN=16384 -DBX=$bx -DSTEPS=40 "$root/samples/dif/dif.mcu"
        add_whole -arch=sm_90 --levels=0,2,3 -DCLASS=S -DBX=$bx "$root/samples/ep/ep.mcu"
      done
      mkdir -p "$directory/include"
      cp "$root"/samples/bench/*.h "$directory/"
      cp "$root"/samples/bench/*/*.h "$directory/include/"
      cp "$root/testsuite/tools/small_bench.sh" "$directory/" ;;
    tune) bench_cases tune_bench ;;
    mpf)
      add --levels=0,1,2 "${inference[@]}" "$root"/samples/mpf/mpf.mcu "$root"/samples/{mpf,junction}/*.c -- check --random 100 --max-flop 1M
      add --levels=0,2 -DREAL=double "${inference[@]}" "$root"/samples/mpf/mpf.mcu "$root"/samples/{mpf,junction}/*.c -- check
      for bytes in 2048 8192; do
        add --levels=2 "${inference[@]}" -DCACHE=$bytes --shared-memory=$bytes "$root"/samples/mpf/mpf.mcu "$root"/samples/{mpf,junction}/*.c -- check
      done
      for unroll in 1 2 4; do add --levels=2 "${inference[@]}" -DUNROLL=$unroll "$root"/samples/mpf/mpf.mcu "$root"/samples/{mpf,junction}/*.c -- check; done
      mkdir -p "$directory/peers"
      cp "$root"/samples/mpf/peers/sweep.sh "$directory/mpf_sweep.sh"
      cp "$root"/samples/mpf/peers/mpf_hand.cu "$root"/samples/mpf/peers/einsum.py "$directory/peers/"
      cp "$root"/samples/mpf/peers/bench.sh "$directory/mpf_bench.sh" ;;
    junction)
      mapfile -t shared < <(printf "$root/samples/mpf/%s.c\n" words crew network order text bif)
      add --levels=0,1,2 "${inference[@]}" "$root"/samples/junction/junction.mcu "$root"/samples/junction/*.c "${shared[@]}" -- check
      add --levels=0,2 -DREAL=double "${inference[@]}" "$root"/samples/junction/junction.mcu "$root"/samples/junction/*.c "${shared[@]}" -- check
      cp "$root"/samples/junction/bench.sh "$directory/junction_bench.sh" ;;
    blas2)
      for real in float double; do add --levels=0,1,2,3 -DREAL=$real "$root"/samples/blas2/blas2.mcu "$root"/samples/blas2/*.c -- all --random 300 --largest 600; done
      cp "$root"/samples/blas2/bench.sh "$directory/blas2_bench.sh" ;;
    bins)
      for name in cutcp gridding blob nbody; do
        case $name in cutcp | gridding) set=small ;; blob) set=large ;; nbody) set=random ;; esac
        add --levels=0,1,2,3 -I "$root/samples/$name" -I "$root/samples/binning" -I "$root/samples/mpf" "$root/samples/$name/$name".{mcu,c} \
          "$root"/samples/binning/*.c "$root"/samples/mpf/{words,crew}.c -- check --set $set
      done
      cp "$root"/samples/binning/figures.sh "$directory/binning_figures.sh" ;;
    conformance) add --levels=${LEVELS:-0,1,2} "$root"/testsuite/conformance/*.mcu ;;
    cuda) add --levels=0,1 "$root"/testsuite/cuda/*.cu ;;
    fuzz) python3 "$root/testsuite/fuzz/run.py" --mesicc "$mesicc" --build "${BUILD:-$root/build}" --bundle "$directory" \
            --kernels "${FUZZ_KERNELS:-500}" --first "${FUZZ_FIRST:-500000}" --levels "${FUZZ_LEVELS:-0123}" ;;
  esac
done
mkdir -p "$directory/include"
cp -r "$root"/testsuite/conformance/include/. "$directory/include/"
cp -r "$directory/include" "$directory/src/"
# SPDX-License-Identifier: MIT
