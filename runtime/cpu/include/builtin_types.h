/* SPDX-License-Identifier: MIT */
/* builtin_types.h - vector types and the runtime API's types, under the toolkit's name. */
#include "mesi/types.h"
