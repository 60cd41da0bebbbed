#!/bin/sh
# find_llvm.sh - prints the folders in which an LLVM with libclang's headers is installed, one a
# line, the newest version first; then those without a version in their name.
for version in 22 21 20 19 18 17 16; do
  for folder in /usr/lib/llvm-$version /usr/lib64/llvm$version /usr/lib/llvm$version \
    /usr/lib/llvm/$version /opt/llvm-$version /usr/local/llvm-$version; do
    if [ -f "$folder/include/clang-c/Index.h" ]; then echo "$folder"; fi
  done
done
for folder in "$(llvm-config --prefix 2>/dev/null)" /usr/local /usr; do
  if [ -f "$folder/include/clang-c/Index.h" ]; then echo "$folder"; fi
done
# SPDX-License-Identifier: MIT
