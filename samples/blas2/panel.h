/* panel.h - what the three reductions share: their workspace, the vectors of a panel, and the range
 * of numbers.
 *
 * A reduction takes PANEL columns at a time. It computes their reflectors one after another, with
 * products of matrix and vector, and notes what they do to the rest of the matrix as products of
 * narrow matrices, which are subtracted at the panel's end. */
#ifndef BLAS2_PANEL_H
#define BLAS2_PANEL_H

#include "device.h"

enum { PANEL = 32 };

/* Memory of blas2_alloc for one reduction at a time, kept for the next one. */
struct workspace {
  real *memory;
  long taken; /* numbers */
};

int workspace_begin(struct workspace *, long count); /* 0, or -1: no memory */
real *workspace_take(struct workspace *, long count);

/* What a panel in one launch needs between its steps, of PANEL_SCRATCH and four numbers a row. */
enum { PANEL_SCRATCH = 2 * PANEL + PANEL_BLOCKS * (PANEL + 1) };
struct scratch {
  real *vectors[4]; /* a number for each row, or column */
  real *seen, *squares, *parts;
};
struct scratch panel_scratch(struct workspace *, int rows);
/* Are the columns of the next panel one launch, where so many rows are left? */
int panel_in_one(int rows);

/* y -= others coefficients, with `count` columns. 0, or -1: no memory. */
int panel_subtract(real *y, int rows, const real *others, int ld, int count,
                   const real *coefficients, int increment);
/* y -= left (right^T v), both with `count` columns. `work`: PANEL numbers, which keep right^T v. */
int panel_subtract_seen(real *y, int rows, const real *left, int ldleft, const real *right,
                        int ldright, int right_rows, int count, const real *v, real *work);

/* Where squares of the matrix's numbers would overflow or vanish it is multiplied by a power of
 * two, ret_factor (else 1). 0, or BLAS2_NOT_FINITE: a number is not finite. `work`: as many numbers
 * as the band has columns. */
int panel_scale(real *a, int lda, struct band, real *work, double *ret_factor);
/* Multiplies what is left of it, a band, by 1 / factor. */
void panel_scale_back(real *a, int lda, struct band, double factor);

#endif
