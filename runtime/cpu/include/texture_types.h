/* SPDX-License-Identifier: MIT */
/* texture_types.h - textures' types, under the toolkit's name. */
#include "mesi/types.h"
