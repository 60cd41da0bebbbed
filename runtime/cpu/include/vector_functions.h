/* SPDX-License-Identifier: MIT */
/* vector_functions.h - vector types, under the toolkit's name. */
#include "mesi/vectors.h"
