/* SPDX-License-Identifier: MIT */
/* driver_types.h - the runtime API's types, under the toolkit's name. */
#include "mesi/types.h"
