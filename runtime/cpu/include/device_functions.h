/* SPDX-License-Identifier: MIT */
/* device_functions.h - what device code calls, under the toolkit's name. */
#include "cuda_runtime.h"
