#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# prepare.sh DIR - writes a folder for two GPUs of one host, here, where there is nvcc and no GPU: its run.sh has the times of launches over
# both beside one, whether the results are equal, and Jacobi by hand. Programs are built (bin.tar.xz) from the tree that this file is in,
# whose build/ is up to date; bundle/ has their sources, for a machine where they do not run.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$from/../../.." && pwd)
mkdir -p "$1"
[ "$from" = "$(cd "$1" && pwd)" ] || cp -r "$from"/{own,run.sh,conformance.list} "$1"
cd "$1"
mesicc=$root/build/translator/driver/mesicc
rm -rf bundle
add() { "$mesicc" bundle -o bundle --whole-program -arch=sm_90 "$@"; }
bench=$root/testsuite/bench/devices.mcu
add --levels=2 -DKIND=1 -DN=16384 -DFIRST=3 -DREPEAT=3 "$bench"
add --levels=0 -DKIND=1 -DN=8192 -DFIRST=3 -DREPEAT=3 "$bench"
add --levels=0,2 -DKIND=2 -DN=262144 -DFIRST=5 -DREPEAT=4 "$bench"
add --levels=0,2 -DKIND=0 -DN=16384 -DFIRST=400 -DREPEAT=200 "$bench"
add --levels=0,2 -DKIND=0 -DN=4096 -DFIRST=400 -DREPEAT=400 "$bench"
add --levels=0,2 -DKIND=3 -DN=67108864 -DFIRST=5000 -DREPEAT=500 "$bench"
add --levels=2 -DN=65536 -DFIRST=100 -DREPEAT=50 own/gemv.mcu
add --levels=0 -DKIND=0 -DN=268435456 -DFIRST=100 -DREPEAT=20 own/sums.mcu
add --levels=0,2 -DKIND=1 -DN=4194304 -DFIRST=100 -DREPEAT=20 own/sums.mcu
add --levels=2 -DN=22500000000 own/large.mcu
conformance=$(cat conformance.list)
for name in $conformance; do
  options=$(sed -n 's,^// args: ,,p' "$root/testsuite/conformance/$name.mcu" | head -n 1)
  "$mesicc" bundle -o bundle -arch=sm_90 --levels=2 $options --parts=always "$root/testsuite/conformance/$name.mcu"
done
mkdir -p bundle/include
cp -r "$root"/testsuite/conformance/include/. bundle/include/
cp -r bundle/include bundle/src/
# Arrays of more than 2 GB together.
for name in bundle/src/devices-*N=16384-*.macros.h; do echo "-Xcompiler -mcmodel=medium" >"${name%.macros.h}.args"; done
(cd bundle && MESI_ARCH=sm_90 nice -n 5 ./run.sh -b -j "${JOBS:-2}")
nvcc -O3 -arch=sm_90 -o bundle/build/hand own/jacobi_hand.cu
rm -rf bin
mkdir bin
for file in bundle/build/*; do
  case $file in *.o | *.a | *.log | *.out) continue ;; esac
  [ -f "$file" ] && [ -x "$file" ] && strip -o "bin/$(basename "$file")" "$file"
done
tar cf - bin | xz -T1 -6 --lzma2=dict=96MiB >bin.tar.xz
rm -rf bin bundle/build
ls -la bin.tar.xz
