/* SPDX-License-Identifier: MIT */
/* cuda_device_runtime_api.h - the runtime API, under the toolkit's name. */
#include "cuda_runtime_api.h"
