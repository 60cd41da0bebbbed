/* SPDX-License-Identifier: MIT */
/* product.h - updates of sums by products, with one factor for a row and the other for a column. */
#ifndef MESI_ANALYSIS_PRODUCT_H
#define MESI_ANALYSIS_PRODUCT_H

#include "analysis/mapping/tile/tile.h"

enum { MOST_PRODUCTS = 8, PRODUCT_DEPTH = 4 /* iterations of one instruction */ };

struct product {          /* sum += row * column */
  struct ir_var *sum;     /* double, of the thread; one for each of its elements */
  struct ir_expr *row;    /* double, depends on y and the iterator */
  struct ir_expr *column; /* double, depends on x and the iterator */
};

struct products {
  struct product items[MOST_PRODUCTS];
  unsigned count;
};

/* Does the body only consist of such updates? Values that it declares replace their names. */
bool products_of(const struct instances *, struct ir_stmt *body, struct products *ret);

/* Marks the tiled loops that consist of them (tile.products). False: there is none. Requires: tiles
 * of tile_plan. */
bool products_plan(const struct instances *, struct tiles *);

/* Can the lanes of a warp have the elements of `geometry` in the order of fragments? */
bool products_fit(const struct geometry *);

#endif
