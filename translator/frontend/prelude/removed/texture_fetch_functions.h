/* SPDX-License-Identifier: MIT */
// texture_fetch_functions.h - CUDA 12 has removed it; the CUDA wrapper of clang 16 still includes
// it. This folder is searched last, so that a toolkit that has the header gives its own.
