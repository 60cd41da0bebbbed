#!/usr/bin/env bash
# bundle.sh DIR [samples] [transfers] [launches] [mpf] [conformance] [cuda] [fuzz] - writes the self-contained GPU bundle: the
# samples at the published sizes and block sizes, the transfer sample and the launch benchmark with their hand-written peers, the
# MPF sample (its benchmark is DIR/mpf_bench.sh), all conformance programs, all plain CUDA programs, 500 random kernels
# (FUZZ_KERNELS) with the CPU backend's results, at -O0, -O1 and -O2. DIR/run.sh builds, checks and times.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
directory=$1
shift
parts=${*:-samples transfers launches mpf conformance cuda fuzz}
mesicc=${MESICC:-$root/build/translator/driver/mesicc}
rm -rf "$directory"
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
    transfers)
      add_whole --levels=0,2 "$root/samples/pipeline/pipeline.mcu"
      add_peers pipeline samples/pipeline ;;
    launches)
      for bx in 256 512; do for steps in 1000 10000 100000; do add_whole --levels=0 -DN=262144 -DBX=$bx -DSTEPS=$steps "$root/samples/dif/dif.mcu"; done; done
      add_whole --levels=0 "$root/testsuite/bench/launches/launches.mcu"
      add_peers launches testsuite/bench/launches ;;
    mpf)
      add --levels=0,1,2 "$root"/samples/mpf/mpf.mcu "$root"/samples/mpf/*.c -- check --random 100 --max-flop 1M
      add --levels=0,2 -DREAL=double "$root"/samples/mpf/mpf.mcu "$root"/samples/mpf/*.c -- check
      mkdir -p "$directory/peers"
      cp "$root"/samples/mpf/peers/mpf_hand.cu "$root"/samples/mpf/peers/einsum.py "$directory/peers/"
      cp "$root"/samples/mpf/peers/bench.sh "$directory/mpf_bench.sh" ;;
    conformance) add --levels=${LEVELS:-0,1,2} "$root"/testsuite/conformance/*.mcu ;;
    cuda) add --levels=0,1 "$root"/testsuite/cuda/*.cu ;;
    fuzz) python3 "$root/testsuite/fuzz/run.py" --mesicc "$mesicc" --build "${BUILD:-$root/build}" --bundle "$directory" \
            --kernels "${FUZZ_KERNELS:-500}" --first "${FUZZ_FIRST:-500000}" ;;
  esac
done
mkdir -p "$directory/include"
cp -r "$root"/testsuite/conformance/include/. "$directory/include/"
cp -r "$directory/include" "$directory/src/"
