/* SPDX-License-Identifier: MIT */
/* vector_types.h - vector types, under the toolkit's name. */
#include "mesi/vectors.h"
