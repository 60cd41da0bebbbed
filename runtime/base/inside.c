/* SPDX-License-Identifier: MIT */
/* inside.c - the state of each thread inside the runtime. */
#include "inside.h"

MESI_TLS_OF_HANDLERS struct mesi_inside mesi_inside;
