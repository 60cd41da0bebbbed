/* SPDX-License-Identifier: MIT */
/* math_functions.h - device code's mathematical functions, under the toolkit's name. */
#include "cuda_runtime.h"
