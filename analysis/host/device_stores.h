/* SPDX-License-Identifier: MIT */
/* device_stores.h - may device code put the address of an object into memory? */
#ifndef MESI_ANALYSIS_DEVICE_STORES_H
#define MESI_ANALYSIS_DEVICE_STORES_H

#include "translator/ir/unit.h"

/* May a kernel or device function of the unit store a pointer where the host finds it? */
bool device_stores_pointers(const struct unit *);

#endif
