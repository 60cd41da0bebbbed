/* SPDX-License-Identifier: MIT */
/* device_atomic_functions.h - atomic operations, under the toolkit's name. */
#include "cuda_runtime.h"
