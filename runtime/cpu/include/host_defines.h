/* SPDX-License-Identifier: MIT */
/* host_defines.h - CUDA's keywords, under the toolkit's name. */
#include "mesi/attributes.h"
