/* SPDX-License-Identifier: MIT */
/* register_tile.h - several elements per thread, which share requests.
 *
 * Takes a shape-free kernel whose neighbours read the same elements. Gives a version with a tile of
 * rows, or layers, per thread, with 16 bytes of a row at once, or with windows (windows.h). Gives
 * up: too few requests are shared, or the launch would not fill the device. */
#ifndef MESI_ANALYSIS_REGISTER_TILE_H
#define MESI_ANALYSIS_REGISTER_TILE_H

#include "analysis/mapping/mapping.h"

enum outcome plan_coarsen(struct mapping *);

#endif
