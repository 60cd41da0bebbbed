#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bundle.sh DIR [NAME...] - puts the programs of this folder (or those that are named) at -O0, -O2 and -O3 into a bundle for a
# machine with a GPU, and times.py beside its run.sh. MESICC names the translator.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
directory=$(realpath -m "$1")
shift
mesicc=${MESICC:-$here/../../../build/translator/driver/mesicc}
mesicc=$(realpath "$mesicc")
cd "$here"
while read -r name arguments; do
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  # shellcheck disable=SC2086
  "$mesicc" bundle -o "$directory" --levels=0,2,3 -arch=sm_90 "$name.cu" -- $arguments
done <arguments
cp times.py "$directory/"
