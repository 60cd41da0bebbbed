/* SPDX-License-Identifier: MIT */
/* device_functions.h - the functions of device code, under the toolkit's name. */
#include "cuda_runtime.h"
