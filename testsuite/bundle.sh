#!/usr/bin/env bash
# bundle.sh DIR [samples] [transfers] [mpf] [conformance] [cuda] [fuzz] - writes the self-contained GPU bundle: the samples at the
# published sizes and block sizes, the transfer sample with its hand-written peers, the MPF sample (its benchmark is
# DIR/mpf_bench.sh), all conformance programs, all plain CUDA programs, 500 random kernels (FUZZ_KERNELS) with the CPU backend's
# results, at -O0, -O1 and -O2. DIR/run.sh builds, checks and times.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
directory=$1
shift
parts=${*:-samples transfers mpf conformance cuda fuzz}
mesicc=${MESICC:-$root/build/translator/driver/mesicc}
rm -rf "$directory"
add() { "$mesicc" bundle -o "$directory" "$@"; }
# Programs written by hand to compare a sample with: samples/NAME/peers/*.cu, which may include from samples/NAME.
add_peers() {
  mkdir -p "$directory/peers/$1" "$directory/include"
  cp "$root/samples/$1"/*.h "$directory/include/"
  cp "$root/samples/$1"/*.h "$directory/peers/$1/"
  cp -r "$root/samples/$1/peers" "$directory/peers/$1/"
  for peer in "$root/samples/$1"/peers/*.cu; do echo "$1 peers/$1/peers/$(basename "$peer")" >>"$directory/peers.list"; done
}
for part in $parts; do
  case $part in
    samples)
      for bx in 32 64 128 256 512; do
        add --levels=0,1 -DN=1024 -DBX=$bx -DREPEAT=15 "$root/samples/matmul/matmul.mcu"
        add --levels=0,1 -DN=262144 -DBX=$bx -DSTEPS=1000 "$root/samples/dif/dif.mcu"
        add --levels=0,1 -DN=524288 -DBX=$bx -DSTEPS=1000 "$root/samples/dif/dif.mcu"
        add --levels=0,1 -DCLASS=B -DBX=$bx "$root/samples/ep/ep.mcu"
      done
      add --levels=0,1 -DN=1024 -DBX=128 -DREPEAT=15 -DELEM=float "$root/samples/matmul/matmul.mcu" ;;
    transfers)
      add --levels=0,2 "$root/samples/pipeline/pipeline.mcu"
      add_peers pipeline ;;
    mpf)
      add --levels=0,1,2 "$root"/samples/mpf/mpf.mcu "$root"/samples/mpf/*.c -- check --random 100 --max-flop 1M
      add --levels=0,2 -DREAL=double "$root"/samples/mpf/mpf.mcu "$root"/samples/mpf/*.c -- check
      mkdir -p "$directory/peers"
      cp "$root"/samples/mpf/peers/mpf_hand.cu "$root"/samples/mpf/peers/einsum.py "$directory/peers/"
      cp "$root"/samples/mpf/peers/bench.sh "$directory/mpf_bench.sh" ;;
    conformance) add --levels=0,1,2 "$root"/testsuite/conformance/*.mcu ;;
    cuda) add --levels=0,1 "$root"/testsuite/cuda/*.cu ;;
    fuzz) python3 "$root/testsuite/fuzz/run.py" --mesicc "$mesicc" --build "${BUILD:-$root/build}" --bundle "$directory" \
            --kernels "${FUZZ_KERNELS:-500}" --first "${FUZZ_FIRST:-500000}" ;;
  esac
done
mkdir -p "$directory/include"
cp -r "$root"/testsuite/conformance/include/. "$directory/include/"
cp -r "$directory/include" "$directory/src/"
