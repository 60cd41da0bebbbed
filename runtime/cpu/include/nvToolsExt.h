/* SPDX-License-Identifier: MIT */
/* nvToolsExt.h - the name before NVTX 3. */
#include "nvtx3/nvToolsExt.h"
