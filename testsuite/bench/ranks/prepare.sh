#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# prepare.sh DIR - writes a folder for two GPUs of one host, here, where there is nvcc and no GPU: its run.sh runs programs under
# mpirun -n 2, a GPU each, and compares results and times with one GPU. Programs are built (bin.tar.xz) from the tree that this file is in,
# whose build/ is up to date; bundle/ has their sources, for a machine where they do not run.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$from/../../.." && pwd)
mkdir -p "$1"
cp "$from"/{run.sh,programs.list} "$1"
cd "$1"
mesicc=$root/build/translator/driver/mesicc
rm -rf bundle
add() { "$mesicc" bundle -o bundle --whole-program -arch=sm_90 "$@"; }
bench=$root/testsuite/bench/devices.mcu
add --levels=2 -DKIND=1 -DN=16384 -DFIRST=3 -DREPEAT=5 "$bench"
add --levels=0 -DKIND=1 -DN=8192 -DFIRST=3 -DREPEAT=5 "$bench"
add --levels=0,2 -DKIND=2 -DN=262144 -DFIRST=5 -DREPEAT=4 "$bench"
add --levels=0,2 -DKIND=0 -DN=16384 -DFIRST=400 -DREPEAT=200 "$bench"
add --levels=0 -DKIND=0 -DN=4096 -DFIRST=400 -DREPEAT=400 "$bench"
add --levels=0 -DKIND=3 -DN=67108864 -DFIRST=500 -DREPEAT=500 "$bench"
add --levels=0,2 --parts=always "$root"/samples/bench/{matmul,nbody,jacobi}/*.mcu
while read -r name _; do
  options=$(sed -n 's,^// args: ,,p' "$root/testsuite/conformance/$name.mcu" | head -n 1)
  # shellcheck disable=SC2086
  "$mesicc" bundle -o bundle -arch=sm_90 --levels=0,2 $options --parts=always "$root/testsuite/conformance/$name.mcu"
done <programs.list
for name in killed differs_value stopped; do
  "$mesicc" bundle -o bundle -arch=sm_90 --levels=2 --parts=always "$root/testsuite/ranks/$name.mcu"
done
mkdir -p bundle/include
cp -r "$root"/testsuite/conformance/include/. bundle/include/
cp -r bundle/include bundle/src/
cp "$root"/samples/bench/*.h bundle/src/
# Arrays of more than 2 GB together.
for name in bundle/src/devices-*N=16384-*.macros.h; do echo "-Xcompiler -mcmodel=medium" >"${name%.macros.h}.args"; done
(cd bundle && MESI_ARCH=sm_90 nice -n 5 ./run.sh -b -j "${JOBS:-2}")
rm -rf bin
mkdir bin
for file in bundle/build/*; do
  case $file in *.o | *.a | *.log | *.out) continue ;; esac
  [ -f "$file" ] && [ -x "$file" ] && strip -o "bin/$(basename "$file")" "$file"
done
tar cf - bin | xz -T1 -6 --lzma2=dict=96MiB >bin.tar.xz
rm -rf bundle/build
ls -la bin.tar.xz
