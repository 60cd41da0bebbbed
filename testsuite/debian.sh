#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# debian.sh [DIR] - makes the Debian package of the commit that is checked out, in DIR or a folder of its own, and asks lintian.
# Ends with 0 where lintian has no error and no warning about the package. Needs debhelper, dpkg-dev and lintian.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
directory=${1:-$(mktemp -d)}
version=$(sed -n "s/^  version: '\([^']*\)'.*/\1/p" "$root/meson.build")
mkdir -p "$directory"
cd "$directory"
rm -rf "mesicc-$version"
git -C "$root" archive --prefix="mesicc-$version/" HEAD | tar -x
tar --exclude=debian -cJf "mesicc_$version.orig.tar.xz" "mesicc-$version"
(cd "mesicc-$version" && dpkg-buildpackage -us -uc) >build.log 2>&1 || { tail -n 30 build.log; exit 1; }
ls -1 "$directory"/*.deb "$directory"/*.dsc
root_too=
[ "$(id -u)" != 0 ] || root_too=--allow-root
lintian $root_too --fail-on error,warning "mesicc_${version}"-*.changes
