#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install.sh [--tests] [PACKAGE...] - installs by apt what building and running mesicc needs and is missing, and the packages named.
# An LLVM from 16 on that is there is taken; where there is none, the newest that apt knows is installed.
# --tests: also what ./check needs, LLVM 22 and 19 among it. Does nothing where all is there, or where there is no apt (docs/builds.md has a list).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
export DEBIAN_FRONTEND=noninteractive
if ! command -v apt-get >/dev/null; then
  echo "install.sh: this system has no apt; docs/builds.md lists what mesicc needs" >&2
  exit 0
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo

is_there() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
updated=
update() { [ -n "$updated" ] || $sudo apt-get update -qq; updated=1; }
# The packages of the newest LLVM that apt knows.
newest_llvm() {
  local version
  update
  for version in 22 21 20 19 18 17 16; do
    [ -n "$(apt-cache madison "libclang-$version-dev" 2>/dev/null)" ] || continue
    packages+=("clang-$version" "libclang-$version-dev" "llvm-$version-dev")
    return
  done
}

packages=(gcc g++ make pkg-config meson ninja-build python3 libisl-dev libgmp-dev libboost-context-dev libjansson-dev zlib1g-dev)
if [ "${1-}" = --tests ]; then
  shift
  packages+=(clang-22 libclang-22-dev llvm-22-dev libclang-rt-22-dev libclang-19-dev libcmocka-dev libblas3 liblapack3 openmpi-bin)
elif [ -z "$(sh "$root/packaging/find_llvm.sh")" ]; then
  newest_llvm
fi
missing=()
for package in "${packages[@]}" "$@"; do is_there "$package" || missing+=("$package"); done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "installing: ${missing[*]}"
update
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
