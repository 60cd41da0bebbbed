#!/usr/bin/env bash
# install.sh [PACKAGE...] - installs what building and testing need on Debian 12, and the packages named. Does nothing where all is there.
set -eu
packages=(gcc g++ make pkg-config meson ninja-build python3 clang-22 libclang-22-dev llvm-22-dev libisl-dev libgmp-dev libcmocka-dev
  libboost-context-dev libjansson-dev zlib1g-dev libclang-rt-22-dev libblas3 liblapack3 openmpi-bin "$@")
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "installing: ${missing[*]}"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
# SPDX-License-Identifier: MIT
