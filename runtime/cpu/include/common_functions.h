/* SPDX-License-Identifier: MIT */
/* common_functions.h - clock, printf and memory in device code, under the toolkit's name. */
#include "cuda_runtime.h"
