/* SPDX-License-Identifier: MIT */
/* inside.c - of each thread, whether it is inside the runtime. */
#include "inside.h"

MESI_TLS_OF_HANDLERS struct mesi_inside mesi_inside;
