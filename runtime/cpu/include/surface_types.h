/* SPDX-License-Identifier: MIT */
/* surface_types.h - surfaces' types, under the toolkit's name. */
#include "mesi/types.h"
