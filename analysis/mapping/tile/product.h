/* SPDX-License-Identifier: MIT */
/* product.h - updates of sums by products of which one factor belongs to a row and the other to a
 * column. */
#ifndef MESI_ANALYSIS_PRODUCT_H
#define MESI_ANALYSIS_PRODUCT_H

#include "analysis/mapping/tile/tile.h"

enum { MOST_PRODUCTS = 8, PRODUCT_DEPTH = 4 /* iterations that one instruction takes */ };

struct product {          /* sum += row * column */
  struct ir_var *sum;     /* double, of the thread; one for each of its elements */
  struct ir_expr *row;    /* double, depends on y and the iterator */
  struct ir_expr *column; /* double, depends on x and the iterator */
};

struct products {
  struct product items[MOST_PRODUCTS];
  unsigned count;
};

/* Is the body nothing but such updates? Values that it declares are put in the place of their
 * names. */
bool products_of(const struct instances *, struct ir_stmt *body, struct products *ret);

/* Marks the tiled loops that are (tile.products). False: there is none. Requires: tiles of
 * tile_plan. */
bool products_plan(const struct instances *, struct tiles *);

/* Can the lanes of a warp have the elements of `geometry` as fragments have them? */
bool products_fit(const struct geometry *);

#endif
