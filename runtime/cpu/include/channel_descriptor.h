/* SPDX-License-Identifier: MIT */
/* channel_descriptor.h - cudaCreateChannelDesc, under the toolkit's name. */
#include "cuda_runtime.h"
