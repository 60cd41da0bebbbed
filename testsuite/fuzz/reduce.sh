#!/usr/bin/env bash
# reduce.sh PROGRAM.mcu [--levels 2] [--twin] - makes a failing random program small with cvise, in a folder reduced/ beside it.
# The test (interesting.py) keeps the program valid: a twin without warnings, clean under sanitizers, no race at -O0.
# MESICC and BUILD name the translator and the build tree; cvise is installed where it is missing.
set -eu
program=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build}
mesicc=${MESICC:-$build/translator/driver/mesicc}
if ! command -v cvise >/dev/null; then
  sudo=; [ "$(id -u)" -eq 0 ] || sudo=sudo
  $sudo apt-get install -y cvise >/dev/null
fi
folder=$(dirname "$program")/reduced
mkdir -p "$folder"
cp "$program" "$folder/program.mcu"
cat >"$folder/test.sh" <<TEST
#!/bin/sh
exec python3 "$here/interesting.py" --mesicc "$(realpath "$mesicc")" --build "$(realpath "$build")" $(printf " %q" "$@")
TEST
chmod +x "$folder/test.sh"
cd "$folder"
./test.sh || { echo "the program does not show the failure, or is not valid"; exit 1; }
cvise --n "${JOBS:-$(nproc)}" --timeout 120 ./test.sh program.mcu
cat program.mcu
# SPDX-License-Identifier: MIT
